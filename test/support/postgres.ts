import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

/** A PostgreSQL server of a test. */
export interface Postgres {
  readonly port: number;
  close(): Promise<void>;
}

const folderOf = (): string | null => {
  const [found] = globSync('/usr/lib/postgresql/*/bin/initdb');
  return found === undefined ? null : path.dirname(found);
};

/** Whether there are a server and a client on this machine. */
export const postgresAvailable = folderOf() !== null && existsSync('/usr/bin/psql');

/** Starts a server on loopback, whose only user `ada` has this password. */
export async function startPostgres(password: string): Promise<Postgres> {
  const programs = folderOf();
  if (programs === null) throw new Error('there is no PostgreSQL on this machine');
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-postgres-'));
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, password);
  const data = path.join(folder, 'data');
  // The server refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined)
    for (const place of [folder, passwordFile]) chownSync(place, user.uid, user.gid);
  const auth = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync', '--no-locale'];
  execFileSync(path.join(programs, 'initdb'), ['-D', data, '-U', 'ada', ...auth], {
    ...user,
    stdio: 'pipe',
    cwd: folder,
  });
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F'];
  const server = spawn(path.join(programs, 'postgres'), args, {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let reply = '';
  await new Promise<void>((settle, fail) => {
    server.on('exit', () => fail(new Error(`PostgreSQL did not start: ${reply}`)));
    server.stderr.on('data', (chunk: Buffer) => {
      reply += chunk.toString();
      if (reply.includes('ready to accept connections')) settle();
    });
  });
  return {
    port,
    async close() {
      const ended = new Promise((settle) => server.once('exit', settle));
      server.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const idOf = (option: '-u' | '-g'): number =>
  Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
