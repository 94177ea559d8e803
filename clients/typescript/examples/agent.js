// An agent: it shows a model the page, does what the model says, and shows it what that led to. node agent.js ADDRESS TASK
import { SkuaError, session } from 'skua-client';

/** What a model may ask for, as most of them take tools. Their answers are calls: { name: 'click', input: { ref: '@e3' } }. */
export const tools = {
  click: ({ ref }) => page.click(ref, { observe: true }),
  fill: ({ ref, text }) => page.fill(ref, text, { observe: true }),
  open: ({ url }) => page.open(url, { observe: true }),
  look: () => page.snapshot({ interactive: true, maxChars: 12_000 }),
};

/**
 * Stands for a model, so that this runs without a network: it clicks the first button whose name has a word of the task. Put the call of yours here; it gets
 * the conversation, and returns a call of a tool or an answer.
 * @param {{ role: string, content: string }[]} conversation
 */
async function model(conversation) {
  const words = conversation[0].content.toLowerCase().split(/\W+/);
  const last = conversation.at(-1)?.content ?? '';
  if (last.startsWith('✓')) return { answer: last.split('\n')[0] };
  for (const line of last.split('\n').filter((one) => /^ *- buttons?\b/.test(one)))
    for (const [, name, ref] of line.matchAll(/"([^"]+)" (@e\d+)/g))
      if (name.toLowerCase().split(' ').every((word) => words.includes(word))) return { name: 'click', input: { ref } };
  return { answer: 'There is nothing to click.' };
}

const [address, task] = process.argv.slice(2);
const page = await session('agent');
await page.open(address);
const conversation = [
  { role: 'user', content: task },
  { role: 'tool', content: (await tools.look()).text },
];
for (let turn = 0; turn < 20; turn++) {
  const reply = await model(conversation);
  if (reply.answer) {
    console.log(reply.answer);
    break;
  }
  try {
    const { text, notices = [] } = await tools[reply.name](reply.input);
    conversation.push({ role: 'tool', content: [text, ...notices].join('\n') });
  } catch (error) {
    if (!(error instanceof SkuaError)) throw error;
    conversation.push({ role: 'tool', content: `${error.code}: ${error.message}` }); // which says what to do next
  }
}
await page.close();
