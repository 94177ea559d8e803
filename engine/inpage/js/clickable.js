// Elements that react to a click without a role that says so.
