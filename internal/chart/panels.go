package chart

import (
	"errors"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panels shows several drawings as one picture, in rows.
type Panels struct {
	Title, Subtitle string // over all of them; may be empty, since each panel has its own
	Rows            [][]Drawing
	Notes           string
}

// Grid is panels without a title of their own.
func Grid(rows [][]Drawing) Drawing { return Panels{Rows: rows} }

func (p Panels) heading() string {
	if p.Title != "" || len(p.Rows) == 0 || len(p.Rows[0]) == 0 || p.Rows[0][0] == nil {
		return p.Title
	}
	return p.Rows[0][0].heading()
}

func (p Panels) draw(c draw.Canvas) error {
	if len(p.Rows) == 0 {
		return errors.New("a picture of panels has none")
	}
	if p.Title != "" {
		c.Max.Y -= panelText.paragraph(c, p.Title)
	}
	c = frame{subtitle: p.Subtitle, notes: p.Notes}.around(c)
	const gap vg.Length = 14
	height := (c.Max.Y - c.Min.Y + gap) / vg.Length(len(p.Rows))
	for i, row := range p.Rows {
		width := (c.Max.X - c.Min.X + gap) / vg.Length(max(len(row), 1))
		for j, d := range row {
			if d == nil {
				continue
			}
			tile := c
			tile.Min.X = c.Min.X + vg.Length(j)*width
			tile.Max.X = tile.Min.X + width - gap
			tile.Max.Y = c.Max.Y - vg.Length(i)*height
			tile.Min.Y = tile.Max.Y - height + gap
			if err := d.draw(tile); err != nil {
				return err
			}
		}
	}
	return nil
}
