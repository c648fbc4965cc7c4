import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A package as its author wrote it: the manifest, and files by their paths. */
export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly manifest?: Record<string, unknown>;
  readonly files: Readonly<Record<string, string>>;
}

/** A registry of npm packages on this machine, which serves packuments and tarballs as the real one does. */
export interface NpmRegistry {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** A folder that goes with it. */
  readonly folder: string;
  /** Paths that were asked for. */
  readonly requests: string[];
  /** A lock file's data on a package: its address and its digest. */
  locked(name: string): { version: string; resolved: string; integrity: string; hasInstallScript?: true };
  close(): Promise<void>;
}

export async function startNpmRegistry(packages: readonly PublishedPackage[]): Promise<NpmRegistry> {
  const requests: string[] = [];
  const published = new Map(packages.map((one) => [one.name, { ...one, tarball: tarballOf(one) }]));
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const [, name = '', dash] = (request.url ?? '').split('/');
    const found = published.get(decodeURIComponent(name));
    if (found === undefined) return void response.writeHead(404).end('{}');
    if (dash === '-') return void response.end(found.tarball);
    const { version } = found;
    const dist = { tarball: locked(name).resolved, integrity: locked(name).integrity };
    const manifest = { name, version, ...found.manifest, dist };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: manifest } }),
    );
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const locked: NpmRegistry['locked'] = (name) => {
    const found = published.get(name);
    if (found === undefined) throw new Error(`${name} was not published`);
    const digest = createHash('sha512').update(found.tarball).digest('base64');
    return {
      version: found.version,
      resolved: `http://${host}/${name}/-/${name}-${found.version}.tgz`,
      integrity: `sha512-${digest}`,
      ...(found.manifest?.scripts === undefined ? {} : { hasInstallScript: true }),
    };
  };
  const folder = mkdtempSync(join(tmpdir(), 'anode-registry-'));
  return {
    host,
    folder,
    requests,
    locked,
    async close() {
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
      await new Promise((settle) => server.close(settle));
    },
  };
}

function tarballOf({ name, version, manifest, files }: PublishedPackage): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'anode-package-'));
  try {
    const all = { ...files, 'package.json': JSON.stringify({ name, version, ...manifest }) };
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, 'package', path)), { recursive: true });
      writeFileSync(join(folder, 'package', path), text);
    }
    return execFileSync('tar', ['-C', folder, '-czf', '-', 'package']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of a project that depends on packages of a registry, with its lock file; `resolved` lets one come from elsewhere. */
export function npmProject(
  registry: NpmRegistry,
  names: readonly string[],
  resolved: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const dependencies = Object.fromEntries(names.map((name) => [name, registry.locked(name).version]));
  const packages = Object.fromEntries(
    names.map((name) => {
      const locked = registry.locked(name);
      return [`node_modules/${name}`, { ...locked, resolved: resolved[name] ?? locked.resolved }];
    }),
  );
  const project = { name: 'project', version: '1.0.0', dependencies };
  const lock = { ...project, lockfileVersion: 3, requires: true, packages: { '': project, ...packages } };
  return {
    'package.json': JSON.stringify(project),
    'package-lock.json': JSON.stringify(lock),
    '.npmrc': `registry=http://${registry.host}/\nfetch-retries=0\n`,
  };
}

/** Writes them into a folder. */
export function writeNpmProject(root: string, ...project: Parameters<typeof npmProject>): void {
  for (const [path, text] of Object.entries(npmProject(...project))) writeFileSync(join(root, path), text);
}
