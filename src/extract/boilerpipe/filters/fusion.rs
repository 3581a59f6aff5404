//! The fusions: neighboring blocks become one.

use crate::extract::boilerpipe::block::Document;

/// Fuses neighbors of the same text density: SimpleBlockFusionProcessor.
pub(in crate::extract::boilerpipe) fn equal_density(document: &mut Document) {
    document.fuse(|previous, block| previous.text_density == block.text_density);
}

/// Fuses a content block with the block before it, if at most one block of the page lies between: the original's
/// BlockProximityFusion.MAX_DISTANCE_1.
pub(in crate::extract::boilerpipe) fn near(document: &mut Document) {
    document.fuse(|previous, block| block.is_content && block.first - previous.last - 1 <= 1);
}

/// The same if the block before is content too: BlockProximityFusion.MAX_DISTANCE_1_CONTENT_ONLY.
pub(in crate::extract::boilerpipe) fn near_content(document: &mut Document) {
    document.fuse(|previous, block| {
        previous.is_content && block.is_content && block.first - previous.last - 1 <= 1
    });
}
