//! The chart of a bench: the share of games that each bot finished within N shots.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use seabattle_arena::{BenchReport, BotResult};
use seabattle_render::{Chart, Picture, Series, YAxis, png, svg};

use super::report::ReportHeader;

/// Pixels per unit, for sharp pictures on dense screens.
const PIXELS_PER_UNIT: f32 = 2.0;

/// The file for the chart. Its extension decides the format.
pub(super) struct PlotFile {
    path: PathBuf,
    plot_kind: PlotKind,
}

enum PlotKind {
    Svg,
    Png,
}

impl PlotFile {
    pub(super) fn new(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
        let plot_kind = match extension.as_deref() {
            Some("svg") => PlotKind::Svg,
            Some("png") => PlotKind::Png,
            _ => bail!("--plot {}: the file name must end in .svg or .png", path.display()),
        };
        // Find out before the games whether the file can be written.
        let open = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(path);
        open.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path: path.to_owned(), plot_kind })
    }

    pub(super) fn write(&self, picture: &Picture) -> anyhow::Result<()> {
        let bytes = match self.plot_kind {
            PlotKind::Svg => svg(picture).into_bytes(),
            PlotKind::Png => png(picture, PIXELS_PER_UNIT)?,
        };
        std::fs::write(&self.path, bytes).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

pub(super) fn chart(header: &ReportHeader<'_>, report: &BenchReport) -> Chart {
    let area = header.bench.rules.size().area() as f32;
    let mut results: Vec<&BotResult> = report.results.iter().filter(|result| result.shots.games() > 0).collect();
    results.sort_by(|a, b| a.shots.mean().total_cmp(&b.shots.mean()));
    Chart {
        title: "Games finished within N shots".to_owned(),
        subtitle: format!(
            "rules {}, {}, seed {}, {}; the mean is next to each name",
            header.bench.rules,
            header.layouts(),
            header.bench.seed,
            header.games(report)
        ),
        x_label: "shots".to_owned(),
        x_range: (0.0, area),
        y_axis: YAxis::Percent,
        series: results.into_iter().map(cumulative_curve).collect(),
    }
}

/// Returns the share of games that took at most N shots, for every N.
fn cumulative_curve(result: &BotResult) -> Series {
    let games = result.shots.games() as f32;
    let mut finished = 0;
    let mut points = vec![(result.shots.min().unwrap_or(1).saturating_sub(1) as f32, 0.0)];
    for (shots, count) in result.shots.bins() {
        finished += count;
        points.push((shots as f32, finished as f32 / games));
    }
    Series { name: result.name.clone(), note: format!("{:.1}", result.shots.mean()), color: None, points }
}
