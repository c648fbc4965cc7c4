import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, test } from 'vitest';
import { containsCredentials, isClosed, toolchainFolders } from '../../src/sandbox/toolchain-folders.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'anode-toolchains-')));
  for (const name of ['go/bin', 'app/bin', 'app/data/runs', 'home/bin', 'home/.cargo/bin', 'home/.cargo/git'])
    mkdirSync(join(folder, name), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

it('toolchains are mounted, but no home and no folder next to our data', () => {
  const path = ['go/bin', 'app/bin', 'home/bin', 'home/.cargo/bin', 'app', 'missing/bin'].map((name) =>
    join(folder, name),
  );
  const hidden = [join(folder, 'home'), join(folder, 'app/data/runs')];
  expect(toolchainFolders(path.join(':'), [], hidden)).toEqual(
    ['app/bin', 'go', 'home/.cargo/bin', 'home/.cargo/git', 'home/bin'].map((name) => join(folder, name)),
  );
});

it('a folder that holds credentials is not mounted, even if it is on PATH', () => {
  const files = [
    ...[
      'me/.docker/config.json',
      'me/.docker/bin/docker',
      'me/.fly/config.yml',
      'me/.fly/bin/fly',
      'me/.gem/credentials',
    ],
    ...[
      'me/.gem/ruby/3.3.0/bin/rake',
      'me/.aws/bin/x',
      'me/.ssh/tools/x',
      'me/.azure/bin/az',
      'me/.unknown/auth.json',
    ],
    ...[
      'me/.unknown/bin/unknown',
      'data/me/.ssh/id_rsa',
      'data/me/bin/x',
      'tools/credentials.json',
      'tools/x',
      'jdk/bin/java',
    ],
  ];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  const onPath = [
    ...files.map((file) => dirname(join(folder, file))),
    ...['me/.docker', 'me/.ssh', 'data/me'].map((name) => join(folder, name)),
  ];
  expect(toolchainFolders(onPath.join(':'))).toEqual(
    [...['data/me/bin', 'jdk', 'me/.docker/bin', 'me/.fly/bin', 'me/.gem/ruby/3.3.0', 'me/.unknown/bin']].map(
      (name) => join(folder, name),
    ),
  );
});

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'anode-credential-folders-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Tells of a folder with nothing but one file of this name. */
function withFile(name: string): boolean {
  const folder = mkdtempSync(join(root, 'one-'));
  writeFileSync(join(folder, name), '');
  return containsCredentials(folder);
}

const commandLines =
  `ssh gnupg aws azure docker kube fly gem config gcloud oci vault terraform.d netlify vercel heroku railway
  cf bluemix ibmcloud aliyun linode pulumi snyk wrangler m2 gradle nuget composer bundle sbt ivy2 claude codex gemini cursor
  copilot opencode huggingface kaggle databricks snowflake dbt boto minikube helm password-store`.split(
    /\s+/,
  );

test('the configuration folder of each command-line tool holds credentials', () => {
  const stored = (name: string) => {
    mkdirSync(join(root, name));
    return containsCredentials(join(root, name));
  };
  expect([
    commandLines.filter((name) => !stored(`.${name}`)),
    ['ssh', '.sshx', 'plain', '.cargo'].filter(stored),
  ]).toEqual([[], []]);
});

test('a folder holds credentials if one of these names is directly in it', () => {
  const keys = [
    ...['.netrc', '_netrc', '.git-credentials', '.npmrc', '.pypirc', '.pgpass', '.vault-token', '.env'],
    ...['credentials', 'credentials.toml', 'a.credentials.json', 'a_credential.db', 'a-credentials.toml'],
    ...['a.credentials.yml', 'a.credentials.yaml', 'auth.json', 'hosts.yml', 'token.yaml', 'tokens.toml'],
    ...['config.json', 'access_tokens.db', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'settings.xml'],
    ...['settings-security.xml', 'AUTH.JSON', 'Settings.XML'],
  ];
  const others = [
    ...['x.netrc', 'netrc', '.npmrc.md', '.envrc', 'xcredentials', 'acredentials.json', 'a.credentials.md'],
    ...['auth.md', 'xauth.json', 'auth.jsonx', 'authxjson', 'access_tokens', 'id_rsa.pub', 'xid_rsa', 'id_'],
    ...[
      'settings.xmlx',
      'settingsxxml',
      'xsettings.xml',
      'a',
      'credentials.',
      'config.ini',
      'access_tokensx1',
    ],
  ];
  expect([keys.filter((name) => !withFile(name)), others.filter(withFile)]).toEqual([[], []]);
});

test('a home is recognised by its folders, and an unreadable folder counts as one', () => {
  const home = join(root, 'home');
  mkdirSync(join(home, '.docker'), { recursive: true });
  expect([containsCredentials(home), containsCredentials(join(root, 'missing'))]).toEqual([true, true]);
});

test('a folder of keys is closed with everything in it', () => {
  const closed = ['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.password-store'];
  const paths = closed.flatMap((name) => [name, `/home/a/${name}`, `/home/a/${name}/bin`]);
  const open = ['/a/.docker', '/a/x.ssh', '/a/.sshx', '/a/.ssh.d/b', '/a/ssh/b', '.awsx/.kub'];
  expect([paths.filter((path) => !isClosed(path)), open.filter(isClosed)]).toEqual([[], []]);
});
