//! Drawings into files.

use super::args::ChartArgs;
use super::output::write_file;
use anyhow::Result;
use palestra_review::chart::Drawing;

impl ChartArgs {
    /// Whether any file was asked for.
    pub(super) fn is_wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    /// Writes a drawing into the files that were asked for.
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
