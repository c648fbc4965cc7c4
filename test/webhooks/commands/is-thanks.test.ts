import { expect, test } from 'vitest';
import { isThanks } from '../../../src/webhooks/commands/is-thanks.ts';
import { readCommand } from '../../../src/webhooks/commands/read-command.ts';
import type { TriggerSettings } from '../../../src/webhooks/commands/trigger.ts';

const settings: TriggerSettings = {
  ...{ mention: 'anode', labels: {}, accounts: [], allowBots: [], autoReview: true, reviewDrafts: false },
  ...{ ownLogins: ['anode-ci[bot]'], waiting: null },
};

test.each([
  'thanks @anode',
  '@anode thank you!',
  '@anode Thank you so much for the quick fix 🎉',
  '@anode great work',
  'cool @anode 👍',
  '@anode 👍🏽',
  '@anode :+1: :heart:',
  'Thanks, @anode and @ada!!',
  '**Great catch**, @anode-ci. Thanks a lot :)'.replace(' :)', ' 😊'),
  '> A finding\n\nok, thanks @anode-ci[bot]',
  'Wow, that was really impressive work @anode ❤️',
  'Thanks @anode ![gif](https://x.test/a.gif)',
  '@anode Vielen Dank, super Arbeit!',
  'Danke schön @anode',
  '@anode merci beaucoup, très bien !',
  '¡Muchas gracias @anode!'.replace('¡', ''),
  '@anode muito obrigado',
  '谢谢 @anode！',
  '@anode 太棒了，谢谢你',
  '@anode ありがとうございます。',
  '@anode さん、ありがとう！',
  '@anode 감사합니다!',
  'Спасибо, @anode',
])('%j only thanks', (body) => {
  expect([isThanks(body), readCommand(body, 'pull_request', settings)]).toEqual([
    true,
    { kind: 'help', text: '', note: null, about: 'thanks' },
  ]);
});

test.each([
  '@anode thanks, now fix the tests',
  'Thanks @anode, please merge',
  '@anode great, fix it',
  '@anode nice review, fix all of them',
  '@anode good?',
  '@anode thanks but this is wrong',
  '@anode not great',
  '@anode 👎',
  '@anode ok',
  '@anode ship it 🚀',
  '@anode thanks `rm -rf build`',
  '@anode thanks https://example.test/issue',
  '@anode perfect the layout',
  `@anode ${'thanks '.repeat(40)}`,
])('%j is a request', (body) => {
  expect([isThanks(body), readCommand(body, 'pull_request', settings)]).toEqual([
    false,
    expect.not.objectContaining({ about: 'thanks' }),
  ]);
});

test('while a question waits, thanks are no answer, and praise may be one', () => {
  const option = (label: string) => ({ id: label.toLowerCase(), label });
  const waiting = {
    ...{ question: 'Go on?', allow_freeform: true, required: true, questions: [] },
    options: [option('Great'), option('No')],
  };
  const kinds = ['@anode thanks', '@anode awesome', '@anode 👍', '@anode great'].map((body) => {
    const command = readCommand(body, 'issue', { ...settings, waiting });
    return command.kind === 'ignored' ? null : (command.about ?? command.kind);
  });
  expect(kinds).toEqual(['thanks', 'answer', 'answer', 'answer']);
});
