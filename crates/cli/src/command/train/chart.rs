//! Pictures of how a training went.

use tesuji_learn::{TrainedStage, Weights};

use crate::frame::{BOTTOM, Frame, HEIGHT, LEFT, RIGHT, TOP, WIDTH, escape, step};

const STYLE: [&str; 2] = [
    "polyline{fill:none;stroke-width:1.6}.a{stroke:#3b78b5}.b{stroke:#c0504d}circle{stroke-width:1.6;fill:none}",
    ".a{stroke:#6aa9e6}.b{stroke:#e07a76}",
];

/// The charts of a training by their file extensions.
pub(super) fn all(title: &str, weights: &Weights, trained: &[TrainedStage]) -> Vec<(&'static str, String)> {
    vec![
        ("svg", stages(&format!("{title}: mean error at the end, in discs"), trained)),
        ("html", page(title, weights.provenance(), trained)),
    ]
}

/// The errors of every stage at the end: what was trained on, and what was kept back.
fn stages(title: &str, trained: &[TrainedStage]) -> String {
    let line = |which: usize| -> Vec<(f64, f64)> {
        let last = trained.iter().filter_map(|stage| Some((stage.stage, stage.curve.last()?[which])));
        last.filter(|(_, errors)| errors.count > 0)
            .map(|(stage, errors)| (stage as f64, errors.mean()))
            .collect()
    };
    picture(title, "stage", &[("a", line(0)), ("b", line(1))])
}

/// The errors of one stage before the first step and after each.
fn curve(title: &str, stage: &TrainedStage) -> String {
    let line = |which: usize| -> Vec<(f64, f64)> {
        let points = stage.curve.iter().enumerate().map(|(step, point)| (step, point[which]));
        points
            .filter(|(_, errors)| errors.count > 0)
            .map(|(step, errors)| (step as f64, errors.mean()))
            .collect()
    };
    picture(title, "steps", &[("a", line(0)), ("b", line(1))])
}

/// A page with all of it.
fn page(title: &str, story: &str, trained: &[TrainedStage]) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title>\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <style>body{{font:15px system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
         color-scheme:light dark}}svg{{width:100%;height:auto}}pre{{white-space:pre-wrap}}</style>\
         <h1>{0}</h1>\n<pre>{1}</pre>\n",
        escape(title),
        escape(story)
    );
    page.push_str(&stages("mean error at the end, in discs", trained));
    for stage in trained {
        page.push_str(&curve(&format!("stage {}: mean error, in discs", stage.stage), stage));
    }
    page + "</html>\n"
}

fn picture(title: &str, across: &str, lines: &[(&str, Vec<(f64, f64)>)]) -> String {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let right = points().map(|point| point.0).fold(1.0, f64::max);
    let most = points().map(|point| point.1).fold(0.0, f64::max);
    let unit =
        [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0].into_iter().find(|unit| most < 7.0 * unit);
    let unit = unit.unwrap_or(20.0);
    let top = (most / unit).floor() + 1.0;
    let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * value / right;
    let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - value / (top * unit));
    let mut frame = Frame::new(title, STYLE);
    for mark in 0..=top as u32 {
        let (value, digits) = (f64::from(mark) * unit, if unit < 1.0 { 2 } else { 0 });
        frame.rule(y(value), format_args!("{value:.digits$}"), mark == 0);
    }
    for mark in (0..=right as u32).step_by(step((WIDTH - LEFT - RIGHT) / right)) {
        frame.mark(x(f64::from(mark)), mark);
    }
    frame.across(across);
    for ((class, points), (at, name)) in lines.iter().zip([(0.0, "trained on"), (130.0, "kept back")]) {
        let path: Vec<String> =
            points.iter().map(|&(across, up)| format!("{:.1},{:.1}", x(across), y(up))).collect();
        frame.draw(format_args!(
            "<polyline class=\"{class}\" points=\"{}\"/>\
             <circle class=\"{class}\" cx=\"{}\" cy=\"40\" r=\"5\"/><text x=\"{}\" y=\"45\">{name}</text>",
            path.join(" "),
            LEFT + at + 6.0,
            LEFT + at + 18.0
        ));
    }
    frame.svg()
}

#[cfg(test)]
mod tests {
    use tesuji_learn::ErrorStats;

    use super::*;

    #[test]
    fn every_step_has_its_point() {
        let errors = |mean: f64| ErrorStats { count: 2, absolute: 2.0 * mean, squared: 2.0 * mean * mean };
        let curve = vec![
            [errors(8.0), errors(9.0)],
            [errors(4.0), errors(6.0)],
            [errors(3.0), ErrorStats::default()],
        ];
        let stage = TrainedStage { stage: 7, weights: Vec::new(), curve };
        let svg = super::curve("a < b", &stage);
        assert!(svg.contains("a &lt; b") && svg.matches("<polyline").count() == 2, "{svg}");
        let points = |class: &str| {
            let rest = svg.split(&format!("<polyline class=\"{class}\" points=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().split(' ').count()
        };
        assert_eq!((points("a"), points("b")), (3, 2), "what is not there has no point");
        for picture in [page("t", "s", &[stage]), page("t", "s", &[]), stages("none", &[])] {
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        }
    }
}
