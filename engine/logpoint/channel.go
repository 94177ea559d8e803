package logpoint

import "strings"

// channelScript declares how conditions hand over values, before the page's own scripts run. Declarations of scripts
// are not properties of the global object, so that a page does not find this one, whose name it cannot guess. BINDING
// and CHANNEL stand for names.
const channelScript = `const CHANNEL = (() => {
	const send = globalThis.BINDING;
	delete globalThis.BINDING;
	const stringify = JSON.stringify, text = String, NativeError = Error, most = 2000;
	const cut = (said) => (said.length > most ? said.slice(0, most) + '…' : said);
	const describe = (value) => {
		if (typeof value === 'string') return stringify(value);
		if (typeof value === 'function') return 'function ' + value.name;
		if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? text(value) + 'n' : text(value);
		if (value instanceof NativeError) return text(value);
		let left = 500;
		const inside = [];
		return stringify(value, function (key, part) {
			while (inside.length > 0 && inside.at(-1) !== this) inside.pop();
			if (left-- <= 0) return undefined;
			if (typeof part === 'bigint') return text(part) + 'n';
			if (typeof part !== 'object' || part === null) return part;
			if (inside.includes(part)) return '(circular)';
			if (inside.length >= 6) return '(deeper)';
			inside.push(part);
			return part;
		}) ?? text(value);
	};
	return (id, value, failed) => {
		let said;
		try {
			said = describe(value);
		} catch (error) {
			said = '(it cannot be shown)';
		}
		// A page that prepares the stacks of errors itself would see this one.
		const stack = typeof NativeError.prepareStackTrace === 'function' ? '' : text(new NativeError().stack);
		send(stringify({ id, text: cut(said), failed, stack: stack.slice(0, 8000) }));
	};
})()`

func (s *Set) script() string {
	return strings.NewReplacer("BINDING", s.binding, "CHANNEL", s.channel).Replace(channelScript)
}

// condition hands over the value of an expression, in the scope of the line, and is false.
func (s *Set) condition(id, expression string) string {
	return "(()=>{try{" + s.channel + "('" + id + "',(" + expression + "\n))}catch(e){try{" + s.channel + "('" + id +
		"',e,true)}catch{}}return false})()"
}
