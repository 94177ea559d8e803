package look_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// What a custom element says by ElementInternals is in the snapshot, and true whenever it is asked for.
func TestInternalsInSnapshot(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<!doctype html><title>Internals</title><label for=terms>Terms</label>
<x-box id=terms tabindex=0 style="display: inline-block; width: 30px; height: 30px"></x-box><x-plain>words</x-plain>
<script>
customElements.define('x-plain', class extends HTMLElement {});
customElements.define('x-box', class extends HTMLElement {
	static formAssociated = true;
	#internals = this.attachInternals();
	constructor() { super(); Object.assign(this.#internals, {role: 'checkbox', ariaChecked: 'false'}) }
	connectedCallback() { this.addEventListener('click', () => this.set(this.state !== 'true')) }
	get state() { return this.#internals.ariaChecked }
	set(on) { this.#internals.ariaChecked = String(on) }
	off(off) { this.#internals.ariaDisabled = String(off) }
});
</script>`)
	box := func() string { return c.Ref(`checkbox "Terms"`) }
	state := func() string { return c.Do("is", "checked", box()).Result.Text }
	require.Equal(t, "false", state())

	c.Page("terms.set(true)") // no attribute changes with it
	require.Equal(t, "true", state())
	require.Contains(t, c.Do("snapshot", "-i").Result.Text, `checkbox "Terms" `+box()+" [checked=true")

	c.Page("terms.set(false)")
	require.Contains(t, c.Do("snapshot", "-i").Result.Text, `checkbox "Terms" `+box()+"\n")

	c.Do("check", box())
	require.Equal(t, "true", c.Page("terms.state"))
	c.Do("check", box())
	require.Equal(t, "true", c.Page("terms.state"), "it was checked already")
	c.Do("uncheck", box())
	require.Equal(t, "false", c.Page("terms.state"))

	c.Page("terms.off(true)")
	require.Contains(t, c.Do("snapshot", "-i").Result.Text, "disabled")
	c.Page("terms.off(false)")
	c.Do("click", box()) // that it was disabled when it was last seen does not matter
	require.Equal(t, "true", c.Page("terms.state"))

	c.Page("terms.set = () => {}")
	c.Fails(fault.ValueNotKept, "uncheck", box()) // what does not change is not called unchecked
}
