//! Pixels as a PNG file.

/// Pixels of one byte a channel as PNG.
pub(super) fn encode(
    pixels: &[u8],
    width: u32,
    height: u32,
    color: png::ColorType,
) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}
