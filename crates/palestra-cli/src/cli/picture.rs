//! Writing charts to the files of `--svg` and `--png`.

use super::args::ChartArgs;
use super::output_file::write_file;
use anyhow::Result;
use palestra_review::chart::Drawing;

impl ChartArgs {
    /// Whether there is any file to write.
    pub(super) fn is_wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    /// Writes a drawing to the files.
    pub(super) fn write(&self, drawing: &Drawing) -> Result<()> {
        if let Some(path) = &self.svg {
            write_file(path, drawing.to_svg().as_bytes())?;
        }
        if let Some(path) = &self.png {
            write_file(path, &drawing.to_png()?)?;
        }
        Ok(())
    }
}
