import { expect, test } from 'vitest';
import { createRedactor } from '../../src/redaction/redact.ts';
import { isPlaceholder } from '../../src/redaction/token-forms.ts';

const redact = createRedactor([]);

/** Characters of a kind, in the requested number, mixed so that no run of one occurs. */
const signs = (alphabet: string, length: number) =>
  Array.from({ length }, (_, index) => alphabet[(index * 7 + 3) % alphabet.length]).join('');
const mixed = (length: number) => signs('a1B2c3D4e5F6g7H8', length);
const hex = (length: number) => signs('0a1b2c3d4e5f6', length);
const upper = (length: number) => signs('A1B2C3D4E5F6', length);

/**
 * Prefixes with the shortest valid rest, and the same with one character less, which is no token.
 */
const forms: readonly (readonly [begins: string, rest: string])[] = [
  ['ghp_ gho_ ghu_ ghs_ ghr_', mixed(16)],
  ['github_pat_', mixed(22)],
  ['sk-ant- sk-proj- sk-svcacct- sk-admin- sk-None- sk-or-v1- sk-lf-', mixed(20)],
  ['AIza', mixed(35)],
  ['ya29. GOCSPX-', mixed(20)],
  ['gsk_ xai- pplx- csk- nvapi- fw_ tgp_v1_', mixed(30)],
  ['hf_', mixed(30)],
  ['ABSK', mixed(100)],
  ['AKIA ASIA AROA AIDA ABIA ACCA', upper(16)],
  ['dop_v1_ doo_v1_ dor_v1_', hex(64)],
  ['dapi', hex(32)],
  ['hvs. hvb. hvr.', mixed(24)],
  ['HRKU-', mixed(36)],
  ['FlyV1', ` fm2_${mixed(40)}`],
  ['pscale_tkn_ pscale_pw_ pscale_oauth_', mixed(30)],
  ['sbp_ pul-', hex(40)],
  ['nfp_', mixed(36)],
  ['dckr_pat_ dckr_oat_', mixed(24)],
  ['dp.pt. dp.st. dp.sa. dp.ct.', mixed(40)],
  ['AGE-SECRET-KEY-1', upper(58)],
  ['npm_', mixed(36)],
  ['pypi-', mixed(50)],
  ['rubygems_', hex(48)],
  ['glpat- gldt- glrt- glft- glsoat- glptt- glcbt- glagent- gloas-', mixed(20)],
  ['xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xoxe. xoxc- xoxd-', mixed(10)],
  ['xapp-', `1-${mixed(20)}`],
  ['hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/', mixed(30)],
  ['sk_live_ sk_test_ rk_live_ rk_test_ whsec_', mixed(20)],
  ['shpat_ shpca_ shppa_ shpss_', hex(32)],
  ['sq0atp- sq0csp-', mixed(22)],
  ['ATATT3x ATCTT3x ATBB', mixed(28)],
  ['lin_api_ lin_oauth_', mixed(32)],
  ['ntn_', mixed(40)],
  ['secret_', mixed(43)],
  ['PMAK-', `${hex(24)}-${hex(34)}`],
  ['NRAK-', upper(27)],
  ['glsa_', `${mixed(32)}_${hex(8)}`],
  ['glc_', `ey${mixed(30)}`],
  ['sntrys_ sntryu_', mixed(40)],
  ['discord.com/api/webhooks/ discordapp.com/api/webhooks/', `${signs('1234567890', 17)}/${mixed(50)}`],
];

test.each(forms)('a token that begins with %s is taken out, but no shorter text', (begins, rest) => {
  const each = begins.split(' ');
  expect(each.map((begin) => redact(`x = ${begin}${rest};`))).toEqual(each.map(() => 'x = [redacted];'));
  const shorter = each.map((begin) => `x = ${begin}${rest.slice(0, -1)};`);
  expect(shorter.map(redact)).toEqual(shorter);
});

test('a token of a fixed length does not match if more letters follow', () => {
  const texts = [`AKIA${upper(17)}`, `dapi${hex(32)}z`, `npm_${mixed(37)}`, `secret_${mixed(44)}`];
  expect(texts.map(redact)).toEqual(texts);
});

test("a token's prefix without a digit is an ordinary word", () => {
  const words = signs('abcdefghijk', 40);
  const texts = ['gsk_', 'xai-', 'ATBB'].map((begin) => `${begin}${words}`);
  expect(texts.map(redact)).toEqual(texts);
});

test('a token starts at a word boundary or after an escape', () => {
  const token = `ghp_${mixed(20)}`;
  const escapes = ['\\n', '\\r', '\\t', '\\b', '\\f', '%3D', '\\u0022', '=', '\n'];
  expect(escapes.map((before) => redact(`a${before}${token}`))).toEqual(
    escapes.map((before) => `a${before}[redacted]`),
  );
  const words = ['a', '1', 'Z', '\\v', '%3', '\\u002'].map((before) => `x${before}z${token}`);
  expect(words.map(redact)).toEqual(words);
});

const long = mixed(44);

test.each<[text: string, clean: string]>([
  [`eyJ${mixed(8)}.eyJ${mixed(8)}.${mixed(9)} x`, '[redacted] x'],
  [`eyJ${mixed(8)}.eyJ${mixed(8)}`, '[redacted]'],
  [`sk-${mixed(20)}`, '[redacted]'],
  [`SG.${mixed(16)}.${mixed(16)}`, '[redacted]'],
  [`-----BEGIN RSA PRIVATE KEY-----\n${long}\n-----END RSA PRIVATE KEY-----\nx`, '[redacted]\nx'],
  [`-----BEGIN PGP PRIVATE KEY BLOCK-----\n${long}\n-----END PGP PRIVATE KEY BLOCK-----`, '[redacted]'],
  [`-----BEGIN PRIVATE KEY-----\n${long}`, '[redacted]'],
  ['https://me:s3cr3t@host.test/x', 'https://me:[redacted]@host.test/x'],
  ['https://me:s3c@[::1]/', 'https://me:[redacted]@[::1]/'],
  ['Authorization: Bearer abcd1234', 'Authorization: Bearer [redacted]'],
  ['authorization = "Basic abcd1234"', 'authorization = "Basic [redacted]"'],
  ['AUTHORIZATION: BEARER abcd1234', 'AUTHORIZATION: BEARER [redacted]'],
  ["'Authorization': 'token abcd1234'", "'Authorization': 'token [redacted]'"],
  ['authorization: Token abcd1234', 'authorization: Token [redacted]'],
  ['authorization: basic abcd1234', 'authorization: basic [redacted]'],
  ['authorization: bearer abcd1234', 'authorization: bearer [redacted]'],
  [`secret_access_key = ${mixed(40)}`, 'secret_access_key = [redacted]'],
  [`"SecretAccessKey": "${mixed(40)}"`, '"SecretAccessKey": "[redacted]"'],
  [`AccountKey=${mixed(40)}==;`, 'AccountKey=[redacted];'],
  [`SHARED_ACCESS_KEY: ${mixed(88)}`, 'SHARED_ACCESS_KEY: [redacted]'],
  [`12345678:AA${mixed(33)}`, '12345678:[redacted]'],
])('%j becomes %j', (text, clean) => {
  expect(redact(text)).toBe(clean);
});

test.each([
  `eyJ${mixed(7)}.eyJ${mixed(8)}`,
  `sk-${mixed(19)}`,
  `SG.${mixed(15)}.${mixed(16)}`,
  '-----BEGIN PUBLIC KEY-----',
  'https://me:ab@host.test',
  'Authorization: Bearer abcd123',
  'Authorization: Digest abcd1234',
  `secret_access_key = ${mixed(39)}`,
  `access_key = ${mixed(40)}`,
  `1234567:AA${mixed(33)}`,
  `12345678:AA${mixed(32)}`,
])('%j is no secret', (text) => {
  expect(redact(text)).toBe(text);
});

test('placeholders of passwords are recognised', () => {
  const all = [
    ...[
      '[redacted]',
      '***',
      'xxxx',
      '....',
      '•••',
      '%s',
      '{password}',
      'your-password',
      'my_token',
      'thesecret',
    ],
    ...['some-key', 'DB_PASSWORD', 'MY-KEY', 'pass', 'passwd', 'password', 'password12'],
    ...['pw', 'pwd', 'secret', 'token', 'user', 'postgres', 'root', 'admin1', 'test', 'guest', 'example'],
    ...['changeme', 'change-me', 'hunter2', 'PASSWORD'],
  ];
  expect(all.filter((value) => !isPlaceholder(value))).toEqual([]);
  const none = ['password123', 'apassword', 'PASSWORDX', 'r00t', 'xyz', '%d', 'a{b', 'DB_', 'yours1'];
  expect(none.filter(isPlaceholder)).toEqual([]);
});
