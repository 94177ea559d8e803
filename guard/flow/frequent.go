package flow

import "strings"

// frequent are words of eight letters and more that many pages have, so that they do not show which site a text is of.
// The same goes for words that three sites have shown, or the target itself.
var frequent = func() map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(`
		accessibility according accounts activate activity additional addition address addresses administrator advanced although analytics animation announcement
		anything appearance application applications appointment approved archived arrangement articles assigned assistance assistant attached attachment attachments attention available balance
		because becoming beginning behavior benefits birthday bookmark bookmarks browsers building business calendar campaign cancelled category categories
		certificate changing character characters checkbox checkout children choosing collection collections combobox combination comments commercial community
		companies complete completed completely computer conditions conference configuration confirmation confirmed connected connection considered contacts
		container contains contentinfo continue contribute contribution copyright countries creating criteria currency currently customer customers dashboard database
		decision decrease default delivery department describe description designed destination detailed developer developers development different difference
		direction directory disabled discount discover discussion discussions distance distribution document documentation documents download downloads duplicate duration education
		electronic elements employee employees entering enterprise environment equipment especially essential everyone everything example examples excellent
		exchange exclusive executive exercise existing expanded expected experience expiration explorer external facebook facilities favorite favorites features feedback
		filename followed followers following frequency frequently friendly function functions generated generation getting government graphics guidelines guarantee handling
		happened hardware headings headline heading historical homepage hospital identity important improvement including increase individual industry information
		inspection installation instructions insurance integration interest interested interesting interface international internet introduction investment invitation
		involved javascript language languages learning libraries licensed lightbox lightweight listbox listitem listings location locations managed management manager
		marketing material materials maximum measurement mediawiki medicine meetings members membership menuitem messages messaging microsoft minimum miscellaneous missing
		mobile modified monitor monthly necessary navigation negative newsletter newsletters nickname notebook notice notification notifications november december
		september february wednesday thursday saturday numbers obtained occurred official operating operation operations opportunities optional options
		ordering ordinary organization organizations original otherwise overview packages pagination paragraph parameters particular partners passenger password
		passwords payments pending performance permission permissions personal personalized personnel perspective photographs pictures platform platforms playlist
		policies portfolio position positive possible postcode preferences premium prepared presentation previous previously printing priority privacy probably problems
		processing product production products professional profiles programs progress progressbar projects properties property provided provider providers
		providing publication published purchase purchases quantity question questions radiogroup receipts received recently recommend recommendations recommended
		recorded recovery reference references regarding regional register registered registration regulations related relationship released relevant remaining
		remember reminder removed repeated replacement reported reporting reports represent repository requests required requirement requirements reservation resource
		resources response responses responsible restaurant restaurants restored results returned revision robotics schedule scheduled sciences screenshot
		searching secondary sections security selected selection separator sentence services sessions settings shipping shopping shortcuts signature significant
		similar software solution solutions something sometimes standard standards starting statement statements statistics storage strategy structure
		students subject submission submitted subscribe subscription subtotal successful successfully suggested suggestions summary support supported switching
		technical technologies technology telephone template templates temporary terminal textbox themselves therefore thousands throughout together tomorrow toolbar
		transaction transactions transfer transition translate translation transport traveling treeitem tutorial tutorials understand unfortunately university unknown unlimited
		untitled upcoming updated upgrade username usernames validation variable variables verification verified versions vertical visibility visitors warehouse warning
		warranty websites weekends welcome whatever wherever wholesale wikipedia wireless without workflow workshop yesterday yourself`) {
		all[w] = true
	}
	return all
}()
