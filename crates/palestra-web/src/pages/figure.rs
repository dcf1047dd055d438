//! A figure in a page: an image with a URL of its own, or the drawing itself in a page that is a single file.

use super::PageFrame;
use palestra_review::chart::Figure;

/// Data of `figure.html`.
pub(crate) struct FigureView {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) caption: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// URL of the image; a version in its query changes whenever the figure does.
    pub(crate) image: String,
    /// The drawing as SVG, which the template does not escape; `None` where the browser loads the image.
    pub(crate) drawing: Option<String>,
    /// Kinds and URLs of downloads.
    pub(crate) files: Vec<(&'static str, String)>,
}

impl FigureView {
    /// `folder` is the URL of all figures of the page.
    pub(crate) fn new(figure: &Figure, frame: &PageFrame, folder: &str, query: &str) -> FigureView {
        let [width, height] = figure.chart.size().map(|length| length.round() as u32);
        FigureView {
            name: figure.name.clone(),
            title: figure.chart.title().to_owned(),
            caption: figure.caption.clone(),
            width,
            height,
            image: format!("{folder}/{}.svg?{query}", figure.name),
            drawing: frame.is_static().then(|| figure.chart.draw().to_svg()),
            files: Vec::new(),
        }
    }

    /// The same with links to files to download.
    pub(crate) fn with_files(self, folder: &str) -> FigureView {
        let file = |kind: &'static str| (kind, format!("{folder}/{}.{}", self.name, kind.to_lowercase()));
        FigureView { files: ["SVG", "PNG"].map(file).into(), ..self }
    }
}
