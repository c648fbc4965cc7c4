import { expect, test } from 'vitest';
import { runVerbs, verbNames, verbOf } from '../../../src/contract/verbs.ts';

/** Name, other words, threads, words behind, what it does, where it counts after a mention, flags, usage. */
const rows = `
task|do|pi|required|writes|typed|budget turns model effort profile|<words>
review||p|optional|reads|alone|budget turns model effort incremental checksOnly|[-i] [--checks-only] [words]
fix||p|optional|writes|alone|budget turns model effort profile|[words]
ask|explain|pi|required|reads|words|budget turns model effort|<question>
describe||p|optional|reads|alone|budget turns model effort|[words]
improve|suggest|p|optional|reads|alone|budget turns model effort|[words]
plan||pi|optional|reads|alone|budget turns model effort|[words]
implement||i|optional|writes|alone|budget turns model effort profile|[words]
triage|label|pi|none|reads|alone|budget turns model effort|
answer||pi|required|decides|words||<words>
approve||pi|hash|decides|typed||<hash>
deny|reject|pi|hash|decides|typed||<hash> [reason]
resolve||p|none|replies|alone||
dismiss||p|optional|replies|id||<id> [reason]
continue|resume|pi|optional|decides|alone|budget turns model effort|[words]
retry|rerun|pi|none|decides|alone|budget turns model effort profile|
stop|cancel abort|pi|none|replies|alone||
config|configuration|pi|none|replies|alone||
status||pi|none|replies|alone||
doctor||pi|none|replies|alone||
help|commands|pi|none|replies|alone||
`;

test('each verb has its words, threads, rights and flags', () => {
  const shown = verbNames.map((name) => {
    const { aliases, on, text: words, does, afterMention, flags, usage } = verbOf(name);
    const threads = on.map((kind) => (kind === 'issue' ? 'i' : 'p')).join('');
    return [name, aliases.join(' '), threads, words, does, afterMention, flags.join(' '), usage].join('|');
  });
  expect(shown).toEqual(rows.trim().split('\n'));
});

test('these verbs can be the work of a run', () => {
  expect(runVerbs.join(' ')).toBe('task review fix ask describe improve plan implement triage');
});
