//! A chart of hits against expected hits.

use crate::{Chart, Palette, Picture, Series, YAxis};
use seabattle_core::Side;
use seabattle_odds::Review;

use crate::replay::Replay;

/// Draws hits against expected hits. `None` without an analysis or without shots.
pub fn hits_chart(replay: &Replay, palette: &Palette) -> Option<Picture> {
    let analysis = replay.analysis()?;
    let reviews = analysis.reviews();
    let most = Side::ALL.into_iter().map(|side| reviews[side].shots().len()).max().filter(|&shots| shots > 0)?;
    let highest = Side::ALL.into_iter().map(|side| (reviews[side].hits() as f64).max(reviews[side].best()));
    let top = highest.fold(replay.rules().fleet_cells() as f64, f64::max).ceil();
    let series = Side::ALL.into_iter().filter(|&side| !reviews[side].shots().is_empty());
    let series = series.enumerate();
    let series = series.flat_map(|(at, side)| curves(at, replay.record().names()[side], reviews[side]));
    let chart = Chart {
        title: "Hits vs expected".to_owned(),
        subtitle: "expected of the cells chosen; above it is luck".to_owned(),
        x_label: "shots of each side".to_owned(),
        x_range: (0.0, most as f32),
        y_axis: YAxis::UpTo(top as f32),
        series: series.collect(),
    };
    Some(chart.draw_in(palette))
}

fn curves(at: usize, name: &str, review: &Review) -> [Series; 2] {
    let name: String = name.chars().take(12).collect();
    let sum = |value: fn(&seabattle_odds::ShotReview) -> f64| -> Vec<(f32, f32)> {
        let mut total = 0.0;
        let points = review.shots().iter().zip(1_u16..).map(|(review, shot)| {
            total += value(review);
            (f32::from(shot), total as f32)
        });
        std::iter::once((0.0, 0.0)).chain(points).collect()
    };
    let hit = |review: &seabattle_odds::ShotReview| f64::from(u8::from(review.shot.outcome.is_hit()));
    [
        Series { name, note: format!("{} hits", review.hits()), color: Some(at), points: sum(hit) },
        Series {
            name: "expected".to_owned(),
            note: format!("{:.1}", review.expected()),
            color: Some(at),
            points: sum(|review| review.chosen),
        },
    ]
}
