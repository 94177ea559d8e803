// The walk: the page as lines.

ops.walk = () => '';
