package showing

import "strings"

// section is a part of a page: what a landmark or a dialog holds, or what follows a heading.
type section struct {
	from, end int // of its lines
	role      string
	name      string
	score     int
}

// landmarks are roles that hold a part of a page, and how likely it is what the page is about.
var landmarks = map[string]int{
	"main": 100, "dialog": 160, "alertdialog": 170, "article": 60, "search": 30, "form": 50, "region": 20, "tabpanel": 40,
	"table": 30, "grid": 30, "feed": 50,
	"navigation": -40, "banner": -50, "contentinfo": -70, "complementary": -35, "menubar": -40, "toolbar": -10,
}

// noise are words in the names of parts that are not what a page is about.
var noise = []string{
	"cookie", "advert", "sponsor", "newsletter", "footer", "breadcrumb", "related", "recommended",
	"share",
}

// sectionsOf divides a page. Landmarks hold their lines; lines that no landmark holds go with the heading before them.
func sectionsOf(lines []snapLine) []section {
	var list []section
	free := section{from: -1}
	flush := func(end int) {
		if free.from >= 0 && end > free.from {
			free.end = end
			list = append(list, free)
		}
		free = section{from: -1}
	}
	for i := 0; i < len(lines); {
		l := &lines[i]
		if _, is := landmarks[l.role]; is && !holdsBetter(lines, i) {
			flush(i)
			end := endOf(lines, i)
			list = append(list, section{from: i, end: end, role: l.role, name: l.name})
			i = end
			continue
		}
		if l.role == "heading" || free.from < 0 {
			flush(i)
			free = section{from: i, role: l.role, name: l.name}
		}
		i++
	}
	flush(len(lines))
	for i := range list {
		list[i].rate(lines)
	}
	return list
}

// holdsBetter reports whether a landmark is only the frame of others: a region around main.
func holdsBetter(lines []snapLine, i int) bool {
	own := landmarks[lines[i].role]
	if own < 0 {
		return false
	}
	for j := i + 1; j < len(lines) && lines[j].depth > lines[i].depth; j++ {
		if landmarks[lines[j].role] > own {
			return true
		}
	}
	return false
}

func endOf(lines []snapLine, i int) int {
	end := i + 1
	for end < len(lines) && lines[end].depth > lines[i].depth {
		end++
	}
	return end
}

// rate says how likely a section is what the page is about: by its landmark, its headings, and how much it says.
func (s *section) rate(lines []snapLine) {
	s.score = landmarks[s.role]
	name := strings.ToLower(s.name)
	for _, word := range noise {
		if strings.Contains(name, word) {
			s.score -= 40
			break
		}
	}
	said, links := 0, 0
	for i := s.from; i < s.end && said < 400; i++ {
		l := &lines[i]
		if l.role == "heading" && l.level == 1 {
			s.score += 40
		}
		if l.says() {
			said++
		}
		if l.role == "link" {
			links++
		}
	}
	s.score += min(said, 40)
	if said > 5 && links*4 > said*3 { // a list of links leads elsewhere
		s.score -= 15
	}
}
