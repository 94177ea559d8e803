// The steps of an audit in one frame, in the isolated world where axe-core lives. Selectors of frames come from axe-core itself.
({
  // Tags that no rule has, and whether the selector can be used.
  check({tags, selector}) {
    if (selector !== '') {
      try {
        if (document.querySelector(selector) === null) return {missing: true};
      } catch {
        return {invalid: true};
      }
    }
    const known = new Set(axe.getRules().flatMap((rule) => rule.tags));
    return {unknown: tags.filter((tag) => !known.has(tag)), known: [...known].sort()};
  },

  // The frame's own part of the result, and its frames, which are audited too.
  async part({context, options}) {
    const frames = axe.utils.getFrameContexts(context, options);
    const partial = await axe.runPartial(context, options);
    return {
      partial: JSON.stringify(partial),
      frames: frames.map(({frameSelector, frameContext}) => ({selector: frameSelector, context: frameContext})),
    };
  },

  async finish({partials, options, most}) {
    const results = await axe.finishRun(partials.map((partial) => (partial === '' ? null : JSON.parse(partial))), options);
    const short = (rules) => rules.map(({id, impact, help, helpUrl, tags, nodes}) => ({
      id, impact: impact ?? null, help, helpUrl, tags, nodeCount: nodes.length,
      nodes: nodes.slice(0, most).map(({html, target, failureSummary}) => ({html, target, failureSummary: failureSummary ?? ''})),
    }));
    return {
      axeVersion: axe.version,
      counts: {
        violations: results.violations.length, incomplete: results.incomplete.length, passes: results.passes.length,
        inapplicable: results.inapplicable.length,
      },
      violations: short(results.violations),
      incomplete: short(results.incomplete),
    };
  },
})
