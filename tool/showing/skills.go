package showing

import "strings"

// skills shows guides in the words of the tool: what they say of the program's command line is said as calls.
func skills(c *Command, v *View) bool {
	switch data := c.Data.(type) {
	case []any:
		return skillList(v, data)
	case map[string]any:
		if rows, ok := list(data, "skills", "data"); ok {
			return skillList(v, rows)
		}
		if content := str(data, "content"); content != "" {
			v.Summary = "Skill: " + str(data, "name")
			v.Text = asCalls(content)
			return true
		}
	}
	if c.Text == "" {
		return false
	}
	v.Text = asCalls(c.Text)
	return true
}

func skillList(v *View, rows []any) bool {
	v.Summary = "Skills: " + number(len(rows))
	lines := []string{v.Summary}
	for _, row := range rows {
		m := object(row)
		if content := str(m, "content"); content != "" {
			lines = append(lines, "", asCalls(content))
			continue
		}
		lines = append(lines, "- "+str(m, "name")+": "+clip(str(m, "description"), 200))
	}
	v.Text = strings.Join(lines, "\n")
	return true
}
