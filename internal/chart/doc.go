// Package chart draws the project's pictures, so that all of them look alike: curves, box plots, bars and heat maps as SVG or PNG,
// over gonum/plot.
//
// A picture must be understood without the text around it. So every kind has a title, axes that carry their units, a legend that
// stands outside the data and hides nothing, and labelled marks (today's setting) and levels (a target, an asymptote) in margins of
// their own. Colours are Okabe and Ito's, which readers with any colour vision tell apart; heat maps run from blue to red through
// white at 0 when they compare, and from white to blue when they only grow.
//
// The same drawing gives the same bytes: nothing here looks at the clock, at a map's order or at the machine's fonts. An SVG holds
// its text as text in a family with generic fallbacks, refers to nothing outside itself, and may stand in an HTML page as it is.
//
// Start with Figure and SVG. Values are checked when they are drawn: what cannot be shown truthfully is an error, not a gap.
package chart
