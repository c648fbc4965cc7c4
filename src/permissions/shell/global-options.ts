/** Options before a program's subcommand: with a value in the next word, and without. */
interface GlobalOptions {
  readonly valued: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
}

const row = (name: string, valued: string, flags: string): [string, GlobalOptions] => [
  name,
  { valued: new Set(valued.split(' ')), flags: new Set(flags.split(' ')) },
];

/** From the manuals. An unlisted option may have a value or none. */
const programs: ReadonlyMap<string, GlobalOptions> = new Map([
  row(
    'git',
    '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source --list-cmds',
    '-p --paginate -P --no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-advice --no-lazy-fetch',
  ),
  row(
    'npm',
    '-w --workspace --prefix -C --registry --userconfig --globalconfig --cache --loglevel --tag --otp --access --script-shell',
    '-g --global --workspaces -ws --include-workspace-root -iwr -s --silent -q --quiet -d -dd -ddd --verbose -y --yes -f --force --json --dry-run --offline --prefer-offline --ignore-scripts',
  ),
  row(
    'pnpm',
    '-C --dir --filter -F --filter-prod --loglevel --reporter --workspace-dir --store-dir --workspace-concurrency',
    '-r --recursive -w --workspace-root -s --silent --color --no-color --stream --aggregate-output --parallel --no-bail --use-stderr',
  ),
  row(
    'yarn',
    '--cwd --registry --cache-folder --mutex --network-timeout',
    '-s --silent --verbose --offline --json --ignore-scripts --non-interactive',
  ),
  row('bun', '--cwd --config -c --env-file --filter -F', '--silent --bun -b --watch --hot --smol'),
  row(
    'cargo',
    '-C -Z --config --color --manifest-path --target-dir',
    '-v -vv --verbose -q --quiet --frozen --locked --offline',
  ),
  row(
    'docker',
    '--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey',
    '-D --debug --tls --tlsverify',
  ),
  row(
    'podman',
    '--config -c --connection --log-level --root --runroot --url --identity --storage-driver',
    '-r --remote --noout',
  ),
  row(
    'docker-compose',
    '-f --file -p --project-name --profile --env-file --project-directory --parallel --progress --ansi',
    '--compatibility --dry-run --all-resources --verbose',
  ),
  row(
    'kubectl',
    '-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --as-uid --cache-dir --certificate-authority --client-certificate --client-key --request-timeout --tls-server-name --password --username -v --v --profile --profile-output --log-flush-frequency --vmodule',
    '--insecure-skip-tls-verify --match-server-version --disable-compression --warnings-as-errors',
  ),
  row(
    'oc',
    '-n --namespace --context --cluster --user --kubeconfig -s --server --token --as',
    '--insecure-skip-tls-verify',
  ),
  row(
    'helm',
    '-n --namespace --kube-context --kubeconfig --kube-token --kube-apiserver --kube-as-user --registry-config --repository-cache --repository-config --burst-limit --qps',
    '--debug',
  ),
  row('terraform', '', '-no-color -help -version'),
  row('tofu', '', '-no-color -help -version'),
  row('gh', '-R --repo --hostname', ''),
  row('glab', '-R --repo', ''),
  row('go', '-C', ''),
  row(
    'pip',
    '--python --proxy --retries --timeout --exists-action --trusted-host --cert --client-cert --cache-dir --log --index-url -i --use-feature --use-deprecated',
    '-q --quiet -v -vv -vvv --verbose --isolated --require-virtualenv --no-input --no-cache-dir --disable-pip-version-check --no-color --debug',
  ),
  row(
    'poetry',
    '-C --directory -P --project',
    '-q --quiet -n --no-interaction --no-plugins --no-cache --ansi --no-ansi -v -vv -vvv',
  ),
  row(
    'uv',
    '--project --directory --config-file --cache-dir --color --python-preference --allow-insecure-host -p --python',
    '-q --quiet -v --verbose --offline --no-progress --no-config --no-cache -n --native-tls --no-python-downloads',
  ),
  row('bundle', '--gemfile --retry -r', '--no-color -V --verbose'),
  row('gem', '--config-file', '--norc --backtrace --debug --silent -q --quiet -V --verbose'),
  row(
    'composer',
    '-d --working-dir',
    '-q --quiet -n --no-interaction --no-plugins --no-scripts --no-cache --ansi --no-ansi -v -vv -vvv --profile',
  ),
  row(
    'aws',
    '--profile --region --output --endpoint-url --query --ca-bundle --cli-read-timeout --cli-connect-timeout --color',
    '--debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager',
  ),
  row(
    'gcloud',
    '--account --project --configuration --format --verbosity --billing-project --impersonate-service-account --flags-file',
    '-q --quiet --log-http',
  ),
  row(
    'make',
    '-C --directory -f --file --makefile -I --include-dir -o --old-file -W --what-if -j --jobs -l --load-average',
    '-B -d -e -i -k -n -q -r -R -s -S -t -w --always-make --silent --quiet --dry-run --keep-going --no-print-directory',
  ),
  row(
    'systemctl',
    '-H --host -M --machine -t --type -p --property -n --lines',
    '--user --system --no-pager -q --quiet --no-block --now',
  ),
]);

const sameAs: Readonly<Record<string, string>> = {
  pip3: 'pip',
  nerdctl: 'docker',
  gmake: 'make',
  microk8s: 'kubectl',
};

/** Maximum options before a subcommand that are read. */
const mostOptions = 1_000;
const mostForms = 100;

/** Programs with two-word subcommands, with options between them. */
const ofTwoWords = new Set(['docker', 'podman', 'gh', 'glab', 'aws', 'gcloud', 'uv']);

/**
 * Returns the words after a program's name without the options before its subcommand: `commit -m x`
 * for `git -C . commit -m x`. Options within two-word subcommands are removed too (`docker compose
 * -f x up`).
 *
 * Several forms if an unknown option may have a value. None if there is no such option, or the
 * program has no subcommands.
 */
export function withoutGlobalOptions(name: string, rest: readonly string[]): string[][] {
  const known = sameAs[name] ?? name;
  const options = programs.get(known);
  if (options === undefined) return [];
  const first = subcommandsFrom(options, rest);
  const nested = (ofTwoWords.has(known) ? first.slice(0, mostForms) : []).flatMap((words) => {
    const [subcommand = '', ...after] = words;
    const inner = subcommand === 'compose' ? (programs.get('docker-compose') ?? options) : options;
    return subcommandsFrom(inner, after).map((found) => [subcommand, ...found]);
  });
  const given = rest.join('\0');
  const forms = new Map([...first, ...nested].map((words) => [words.join('\0'), words]));
  return [...forms]
    .filter(([key]) => key !== given)
    .map(([, words]) => words)
    .slice(0, mostForms);
}

/** Returns the words from the subcommand on, for each possible position. */
function subcommandsFrom(options: GlobalOptions, rest: readonly string[]): string[][] {
  const found: string[][] = [];
  const pending = [0];
  const seen = new Set<number>();
  for (let at = pending.pop(); at !== undefined && seen.size < mostOptions; at = pending.pop()) {
    const word = rest[at];
    if (seen.has(at) || word === undefined) continue;
    seen.add(at);
    // `cargo +nightly publish` names a toolchain there.
    const isOption = /^(-(?!-?$)|\+)/.test(word);
    if (isOption) for (const length of optionLengths(word, options)) pending.push(at + length);
    else found.push(rest.slice(word === '--' ? at + 1 : at));
  }
  return found;
}

/** Returns how many words an option may take, itself included. */
function optionLengths(word: string, { valued, flags }: GlobalOptions): readonly number[] {
  if (valued.has(word)) return [2];
  // An attached value is no word: `--prefix=.`, `-C.`.
  const attached =
    word.includes('=') || word.startsWith('+') || (/^-[^-]./.test(word) && valued.has(word.slice(0, 2)));
  return attached || flags.has(word) ? [1] : [2, 1];
}
