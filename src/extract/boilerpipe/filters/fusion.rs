//! The fusions: neighboring blocks become one.

use crate::extract::boilerpipe::block::Document;

/// Fuses neighbors of the same text density: SimpleBlockFusionProcessor.
pub(crate) fn equal_density(document: &mut Document) {
    document.fuse(|previous, block| previous.text_density == block.text_density);
}

/// Fuses a content block with the block before it, if at most one block of the page lies between: the original's
/// BlockProximityFusion.MAX_DISTANCE_1.
pub(crate) fn near(document: &mut Document) {
    document.fuse(|previous, block| block.is_content && block.first - previous.last - 1 <= 1);
}

/// The same if the block before is content too: BlockProximityFusion.MAX_DISTANCE_1_CONTENT_ONLY.
pub(crate) fn near_content(document: &mut Document) {
    document.fuse(|previous, block| {
        previous.is_content && block.is_content && block.first - previous.last - 1 <= 1
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_equal_density_are_fused_as_long_as_it_stays_equal() {
        let document = Document::marked("<p>a b<p>c d<p>e<p>f");
        assert_eq!(document.after(equal_density), ["a b\nc d", "e\nf"]);
    }

    #[test]
    fn content_is_fused_with_what_stands_before_it() {
        let html = "<p>a<p>+b<p>c<p>d<p>+e<p>+f";
        assert_eq!(Document::marked(html).after(near), ["+a\nb", "c", "+d\ne\nf"]);
    }

    #[test]
    fn content_is_fused_with_content_over_one_removed_block_and_not_over_two() {
        let html = "<p>+a<p>b<p>+c<p>d<p>e<p>+f";
        let remove = |document: &mut Document| document.blocks.retain(|block| block.is_content);
        let fused = Document::marked(html).after(|document| {
            remove(document);
            near_content(document);
        });
        assert_eq!(fused, ["+a\nc", "+f"]);
        assert_eq!(Document::marked(html).after(near_content).len(), 6);
    }
}
