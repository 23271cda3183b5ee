//! Learning curves of a training run: the mean error on the training set and on the held-out set.

use crate::axis::Axis;
use crate::html::escape;
use crate::svg::{BOTTOM, HEIGHT, LEFT, RIGHT, Svg, TOP, WIDTH, tick_step};

const STYLE: [&str; 2] = [
    "polyline{fill:none;stroke-width:1.6}.a{stroke:#3b78b5}.b{stroke:#c0504d}",
    ".a{stroke:#6aa9e6}.b{stroke:#e07a76}",
];

/// The learning curve of one stage of an evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct LearningCurve {
    /// The number of the stage.
    pub stage: usize,
    /// Before the first step and after each: the mean errors on the training set and on the held-out set.
    pub errors: Vec<[Option<f64>; 2]>,
}

/// The final errors of every stage.
pub fn stages(title: &str, curves: &[LearningCurve]) -> String {
    let line = |set: usize| {
        let last = |curve: &LearningCurve| Some((curve.stage as f64, curve.errors.last()?[set]?));
        curves.iter().filter_map(last).collect()
    };
    plot(title, "stage", [line(0), line(1)])
}

/// The errors of one stage over the steps.
pub fn curve(title: &str, curve: &LearningCurve) -> String {
    let line = |set: usize| {
        let points = curve.errors.iter().enumerate();
        points.filter_map(|(step, errors)| Some((step as f64, errors[set]?))).collect()
    };
    plot(title, "steps", [line(0), line(1)])
}

/// A page with all plots and the provenance of the weights.
pub fn page(title: &str, provenance: &str, curves: &[LearningCurve]) -> String {
    let one = |one: &LearningCurve| curve(&format!("stage {}: mean error, in discs", one.stage), one);
    let all = std::iter::once(stages("mean error at the end, in discs", curves)).chain(curves.iter().map(one));
    document(title, provenance, all)
}

/// A page with a title, a text and plots below each other.
pub(crate) fn document(title: &str, text: &str, plots: impl Iterator<Item = String>) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title>\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <style>body{{font:15px system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
         color-scheme:light dark}}.plot{{overflow-x:auto}}svg{{width:100%;min-width:640px;height:auto}}\
         h1{{font-size:clamp(1.2rem,5vw,1.8rem);overflow-wrap:anywhere}}\
         pre{{white-space:pre-wrap;overflow-wrap:anywhere}}</style>\
         <h1>{0}</h1>\n<details{2}><summary>how it was made</summary><pre>{1}</pre></details>\n",
        escape(title),
        escape(text),
        // A long account would push the plots off the screen.
        if text.lines().count() <= 6 { " open" } else { "" }
    );
    plots.for_each(|svg| page.push_str(&format!("<div class=\"plot\">{svg}</div>\n")));
    page + "</html>\n"
}

fn plot(title: &str, axis: &str, lines: [Vec<(f64, f64)>; 2]) -> String {
    let points = || lines.iter().flatten();
    let right = points().map(|point| point.0).fold(1.0, f64::max);
    let errors = Axis::holding(0.0, points().map(|point| point.1).fold(0.0, f64::max), 5.0);
    let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * value / right;
    let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - errors.share(value));
    let mut svg = Svg::plot(title, STYLE);
    for tick in errors.ticks() {
        svg.grid_line(y(tick), errors.label(tick), tick == 0.0);
    }
    for tick in (0..=right as u32).step_by(tick_step((WIDTH - LEFT - RIGHT) / right)) {
        svg.tick(x(f64::from(tick)), tick);
    }
    svg.axis(axis);
    svg.vertical_axis("discs");
    for (place, (points, (class, name))) in lines.iter().zip([("a", "training set"), ("b", "held-out set")]).enumerate()
    {
        let path: Vec<String> = points.iter().map(|&(across, up)| format!("{:.1},{:.1}", x(across), y(up))).collect();
        svg.draw(format_args!("<polyline class=\"{class}\" points=\"{}\"/>", path.join(" ")));
        svg.line_legend(class, name, place);
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_its_point() {
        let errors = vec![[Some(8.0), Some(9.0)], [Some(4.0), Some(6.0)], [Some(3.0), None]];
        let one = LearningCurve { stage: 7, errors };
        let svg = curve("a < b", &one);
        assert!(svg.contains("a &lt; b") && svg.matches("<polyline").count() == 4, "a line and its legend: {svg}");
        let points = |class: &str| {
            let rest = svg.split(&format!("<polyline class=\"{class}\" points=\"")).nth(1).unwrap_or_default();
            rest.split('"').next().unwrap_or_default().split(' ').count()
        };
        assert_eq!((points("a"), points("b")), (3, 2), "a missing error has no point");
        for picture in [page("t", "s", &[one]), page("t", "s", &[]), stages("none", &[])] {
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        }
    }
}
