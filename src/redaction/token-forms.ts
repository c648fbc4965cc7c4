/** The beginnings of a kind of token, and the pattern for what follows them. */
interface TokenForm {
  /** At least four characters each, which keeps the search for all of them fast. */
  readonly begins: readonly string[];
  readonly rest: string;
}

const form = (begins: string, rest: string): TokenForm => ({ begins: begins.split(' '), rest });

/**
 * Token formats as their issuers document them ("About authentication to GitHub" and the like).
 * Only unmistakable formats are listed. A secret recognisable only by its context must be redacted
 * by its value.
 */
const tokenForms: readonly TokenForm[] = [
  // GitHub
  form('ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9]{16,}[A-Za-z0-9_]*'),
  form('github_pat_', '[A-Za-z0-9_]{22,}'),
  // Models
  form('sk-ant- sk-proj- sk-svcacct- sk-admin- sk-None- sk-or-v1- sk-lf-', '[A-Za-z0-9_-]{20,}'),
  form('AIza', '[A-Za-z0-9_-]{35}'),
  form('ya29.', '[A-Za-z0-9_-]{20,}'),
  form('GOCSPX-', '[A-Za-z0-9_-]{20,}'),
  form('gsk_ xai- pplx- csk- nvapi- fw_ tgp_v1_', '(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{30,}'),
  form('hf_', '[A-Za-z0-9]{30,}'),
  form('ABSK', '[A-Za-z0-9+/]{100,}={0,2}'),
  // Clouds
  form('AKIA ASIA AROA AIDA ABIA ACCA', '[A-Z0-9]{16}(?![A-Za-z0-9])'),
  form('dop_v1_ doo_v1_ dor_v1_', '[a-f0-9]{64}'),
  form('dapi', '[a-f0-9]{32}(?![A-Za-z0-9])'),
  form('hvs. hvb. hvr.', '[A-Za-z0-9_-]{24,}'),
  form('HRKU-', '[A-Za-z0-9_-]{36,}'),
  form('FlyV1', ' fm\\d_[A-Za-z0-9+/=,_-]{40,}'),
  form('pscale_tkn_ pscale_pw_ pscale_oauth_', '[A-Za-z0-9_.-]{30,}'),
  form('sbp_', '[a-f0-9]{40}'),
  form('nfp_', '[A-Za-z0-9]{36,}'),
  form('pul-', '[a-f0-9]{40}'),
  form('dckr_pat_ dckr_oat_', '[A-Za-z0-9_-]{24,}'),
  form('dp.pt. dp.st. dp.sa. dp.ct.', '[A-Za-z0-9._-]{40,}'),
  form('AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
  // Packages
  form('npm_', '[A-Za-z0-9]{36}(?![A-Za-z0-9])'),
  form('pypi-', '[A-Za-z0-9_-]{50,}'),
  form('rubygems_', '[a-f0-9]{48}'),
  // Other places
  form('glpat- gldt- glrt- glft- glsoat- glptt- glcbt- glagent- gloas-', '[A-Za-z0-9_.-]{20,}'),
  form('xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xoxe. xoxc- xoxd-', '[A-Za-z0-9%.-]{10,}'),
  form('xapp-', '\\d-[A-Za-z0-9-]{20,}'),
  form('hooks.slack.com/', '(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,}'),
  form('discord.com/api/webhooks/ discordapp.com/api/webhooks/', '\\d{17,20}/[A-Za-z0-9_-]{50,}'),
  form('sk_live_ sk_test_ rk_live_ rk_test_ whsec_', '[A-Za-z0-9+/=]{20,}'),
  form('shpat_ shpca_ shppa_ shpss_', '[a-fA-F0-9]{32}'),
  form('sq0atp- sq0csp-', '[A-Za-z0-9_-]{22,}'),
  form('ATATT3x ATCTT3x ATBB', '(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_=-]{28,}'),
  form('lin_api_ lin_oauth_', '[A-Za-z0-9]{32,}'),
  form('ntn_', '[A-Za-z0-9]{40,}'),
  form('secret_', '[A-Za-z0-9]{43}(?![A-Za-z0-9])'),
  form('PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'),
  form('NRAK-', '[A-Z0-9]{27}'),
  form('glsa_', '[A-Za-z0-9]{32}_[a-f0-9]{8}'),
  form('glc_', 'ey[A-Za-z0-9+/=]{30,}'),
  form('sntrys_ sntryu_', '[A-Za-z0-9+/=_]{40,}'),
];

/** Each token beginning with a sticky pattern of the whole token. */
export const tokenBeginnings: readonly { readonly begins: string; readonly whole: RegExp }[] =
  tokenForms.flatMap(({ begins, rest }) =>
    begins.map((beginning) => ({
      begins: beginning,
      whole: new RegExp(beginning.replaceAll('.', '\\.') + rest, 'y'),
    })),
  );

/**
 * Returns true if a token may begin here: at a word's start, or after an escape such as `\n`,
 * `\u0022` or `%3D`.
 */
export function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true;
  return /(?:\\[nrtbf]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})$/.test(text.slice(Math.max(0, at - 6), at));
}

/**
 * Secrets that need more than a beginning to recognise. If a pattern has a group, only the group is
 * secret. A text without any of `needs` contains none, which is a faster test.
 */
export const secretPatterns: readonly { readonly needs: readonly string[]; readonly pattern: RegExp }[] = [
  // RFC 7519: header and payload are base64url of JSON objects, so both begin with `eyJ`.
  {
    needs: ['eyJ'],
    pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/dg,
  },
  // OpenAI's older keys and compatible ones; then SendGrid's.
  {
    needs: ['sk-'],
    pattern: /(?<![A-Za-z0-9])sk-(?=[A-Za-z]{0,40}[0-9])(?=[0-9]{0,40}[A-Za-z])[A-Za-z0-9]{20,}/dg,
  },
  {
    needs: ['SG.'],
    pattern: /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/dg,
  },
  // RFC 7468 and OpenPGP's armour (RFC 9580). A truncated block extends to the end of the text.
  {
    needs: ['-----BEGIN '],
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----(?=\s*[A-Za-z0-9+/\\]|\s*$)[\s\S]*?(?:-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|$)/dg,
  },
  // RFC 3986, "Authority": the password of a remote or connection string.
  {
    needs: ['://'],
    pattern: /:\/\/[^\s/:@"'`<>]{0,256}:([^\s/@"'`<>$]{3,512})(?=@[A-Za-z0-9[])/dg,
  },
  // RFC 9110, "Authorization", as a header or an option.
  {
    needs: ['uthorization', 'UTHORIZATION'],
    pattern:
      /[Aa](?:uthorization|UTHORIZATION)["']?\s{0,4}[:=]\s{0,4}["']?(?:[Bb]asic|[Bb]earer|BEARER|[Tt]oken)\s{1,4}([A-Za-z0-9+/=._~-]{8,2048})/dg,
  },
  {
    needs: ['ey', 'EY', 'Ey', 'eY'],
    pattern:
      /(?:secret_?access_?key|SecretAccessKey|account_?key|shared_?access_?key)["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9/+]{40,88}={0,2})(?![A-Za-z0-9/+=])/dgi,
  },
  {
    needs: [':AA'],
    pattern: /\b\d{8,10}:(AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])/dg,
  },
];

/** Password placeholders of explanations and templates. */
const placeholder =
  /^(?:\[redacted\]|[*x.•]+|%s|\{.*|(?:your|my|the|some)[-_a-z]*|[A-Z]+(?:[_-][A-Z]+)+|(?:pass(?:w(?:or)?d)?|pw|pwd|secret|token|user|postgres|root|admin|test|guest|example|change-?me|hunter2)\d{0,2})$/i;

/** Returns true if a match is only a placeholder. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value);
}
