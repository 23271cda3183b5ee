//! Learning curves of a network: accuracies, losses and the learning rate over the positions that it has seen.

use crate::axis::Axis;
use crate::svg::{BOTTOM, HEIGHT, LEFT, RIGHT, Svg, TOP, WIDTH};
use crate::training::document;

const STYLE: [&str; 2] = [
    "polyline{fill:none;stroke-width:1.8}.a{stroke:#3b78b5}.b{stroke:#c0504d}.c{stroke:#4f9d52}.d{stroke:#8a62b5}\
     circle{stroke-width:1.8;fill:none}",
    ".a{stroke:#6aa9e6}.b{stroke:#e07a76}.c{stroke:#7fca82}.d{stroke:#b594dd}",
];
const CLASSES: [&str; 4] = ["a", "b", "c", "d"];

/// A line of a plot.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkCurve {
    /// What it shows.
    pub name: &'static str,
    /// Positions seen or the generation, and the figure then.
    pub points: Vec<(f64, f64)>,
}

/// Up to four lines over the positions seen, or over generations.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkPlot {
    /// The title.
    pub title: String,
    /// The unit of the figures.
    pub unit: &'static str,
    /// What is counted along the horizontal axis.
    pub along: &'static str,
    /// The lines; those without a point are left out.
    pub curves: Vec<NetworkCurve>,
}

impl NetworkPlot {
    /// The picture.
    pub fn svg(&self) -> String {
        let curves = || self.curves.iter().filter(|curve| !curve.points.is_empty()).zip(CLASSES);
        let points = || curves().flat_map(|(curve, _)| &curve.points).filter(|(x, y)| x.is_finite() && y.is_finite());
        let fold = |number: fn(&(f64, f64)) -> f64, first: f64, choose: fn(f64, f64) -> f64| {
            points().map(number).fold(first, choose)
        };
        let along = Axis::of_counts(0.0, fold(|point| point.0, 1.0, f64::max), 8.0);
        let (low, high) = (fold(|point| point.1, f64::INFINITY, f64::min), fold(|point| point.1, 0.0, f64::max));
        // A curve that is far from zero gets the whole height.
        let axis =
            Axis::holding(if low.is_finite() && low > high / 2.0 { low } else { low.clamp(-1e9, 0.0) }, high, 5.0);
        let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * along.share(value);
        let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - axis.share(value));
        let mut svg = Svg::plot(&self.title, STYLE);
        for tick in axis.ticks() {
            svg.grid_line(y(tick), axis.label(tick), tick == 0.0);
        }
        for tick in along.ticks() {
            svg.tick(x(tick), along.label(tick));
        }
        svg.axis(self.along);
        svg.vertical_axis(self.unit);
        for (place, (curve, class)) in curves().enumerate() {
            let finite: Vec<_> = curve.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
            let place_of = |&&(across, up): &&(f64, f64)| format!("{:.1},{:.1}", x(across), y(up));
            let path: Vec<String> = finite.iter().map(place_of).collect();
            svg.draw(format_args!("<polyline class=\"{class}\" points=\"{}\"/>", path.join(" ")));
            // A line of one point would not be seen.
            if let [point] = finite[..] {
                let (x, y) = (x(point.0), y(point.1));
                svg.draw(format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"));
            }
            svg.line_legend(class, curve.name, place);
        }
        svg.finish()
    }
}

/// A page with plots and how the network was made.
pub fn page(title: &str, provenance: &str, plots: &[NetworkPlot]) -> String {
    document(title, provenance, plots.iter().map(NetworkPlot::svg))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: &[&[(f64, f64)]]) -> NetworkPlot {
        let curve = |points: &&[(f64, f64)]| NetworkCurve { name: "test", points: points.to_vec() };
        NetworkPlot {
            title: "a < b".to_owned(),
            unit: "%",
            along: "positions",
            curves: points.iter().map(curve).collect(),
        }
    }

    #[test]
    fn every_evaluation_has_its_point() {
        let svg = plot(&[&[(1e5, 20.0), (2e5, 30.0), (3e5, 35.0)], &[], &[(1e5, 60.0)]]).svg();
        assert!(svg.contains("a &lt; b") && svg.matches("<polyline").count() == 4, "a line and its legend: {svg}");
        let first = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        assert_eq!(first.split(' ').count(), 3, "{svg}");
        assert!(svg.contains("300k") && svg.contains("positions"), "{svg}");
    }

    #[test]
    fn odd_figures_draw_finite_pictures() {
        for plot in [plot(&[]), plot(&[&[]]), plot(&[&[(0.0, 0.0)]]), plot(&[&[(1.0, f64::NAN), (2.0, 3.0)]])] {
            let page = page("t", "s", &[plot]);
            assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
        }
    }
}
