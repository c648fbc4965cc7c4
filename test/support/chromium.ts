import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { browsers } from '../../scripts/system-packages.ts';

/** The browser of this machine; null where there is none. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const places = folders.flatMap((folder) => browsers.map((name) => path.join(folder, name)));
  return (
    places.find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }) ?? null
  );
}

type Fields = Record<string, unknown>;

/** A tab of the browser, with all that it complained of and asked the network for. */
export interface BrowserPage {
  /** Chrome DevTools Protocol: one command, and its answer. */
  send(method: string, params?: Fields): Promise<Fields>;
  /** Opens an address and waits until it is loaded and drawn. */
  open(url: string): Promise<void>;
  /** The value of an expression, as JSON. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Text on the console, errors, and violations of the page's policy. */
  readonly complaints: readonly string[];
  /** Addresses that were asked for besides the page itself. */
  readonly requests: readonly string[];
}

export interface Browser {
  newPage(): Promise<BrowserPage>;
  close(): Promise<void>;
}

/** Starts a headless browser, driven by a pipe, with its own folder, which is removed with it. */
export async function startBrowser(program: string): Promise<Browser> {
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-browser-'));
  // Its own sandbox works neither as root nor in most containers; it opens only pages of the tests.
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--remote-debugging-pipe',
    '--disable-gpu',
    '--no-first-run',
  ];
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--hide-scrollbars',
    '--mute-audio',
  ];
  const browser = spawn(
    program,
    [...flags, ...quiet, '--disable-dev-shm-usage', `--user-data-dir=${folder}`, 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    },
  );
  const exited = new Promise<void>((resolve) => browser.once('exit', () => resolve()));
  const { send, on } = connect(browser);
  return {
    newPage: () => openPage(send, on),
    async close() {
      await send(null, 'Browser.close').catch(() => undefined);
      await exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

type Send = (session: string | null, method: string, params?: Fields) => Promise<Fields>;
type Listener = (session: string | undefined, method: string, params: Fields) => void;

/** Messages of the protocol: JSON, each ended by a zero byte. */
function connect(browser: ChildProcess): { readonly send: Send; readonly on: (listener: Listener) => void } {
  const [, , , to, from] = browser.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, { resolve: (answer: Fields) => void; reject: (error: Error) => void }>();
  const listeners: Listener[] = [];
  let count = 0;
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (data: string) => {
    const messages = (rest + data).split('\0');
    rest = messages.pop() ?? '';
    for (const text of messages) {
      const message = JSON.parse(text) as Fields & { id?: number; error?: { message: string } };
      if (message.id === undefined) {
        const { sessionId, method, params } = message as {
          sessionId?: string;
          method: string;
          params: Fields;
        };
        for (const listener of listeners) listener(sessionId, method, params);
        continue;
      }
      const requested = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error === undefined) requested?.resolve((message.result ?? {}) as Fields);
      else requested?.reject(new Error(message.error.message));
    }
  });
  browser.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser ended.'));
  });
  to.on('error', () => undefined);
  return {
    send: (session, method, params = {}) =>
      new Promise((resolve, reject) => {
        count += 1;
        waiting.set(count, { resolve, reject });
        const about = session === null ? {} : { sessionId: session };
        to.write(`${JSON.stringify({ id: count, method, params, ...about })}\0`);
      }),
    on: (listener) => void listeners.push(listener),
  };
}

async function openPage(send: Send, on: (listener: Listener) => void): Promise<BrowserPage> {
  const { targetId } = await send(null, 'Target.createTarget', { url: 'about:blank' });
  const attached = await send(null, 'Target.attachToTarget', { targetId, flatten: true });
  const session = attached.sessionId as string;
  const complaints: string[] = [];
  const requests: string[] = [];
  let loaded = Promise.withResolvers<void>();
  on((from, method, params) => {
    if (from !== session) return;
    if (method === 'Page.loadEventFired') loaded.resolve();
    if (method === 'Log.entryAdded') complaints.push((params.entry as { text: string }).text);
    if (method === 'Runtime.exceptionThrown' || method === 'Runtime.consoleAPICalled')
      complaints.push(JSON.stringify(params));
    if (method === 'Audits.issueAdded') complaints.push(JSON.stringify(params.issue));
    if (method === 'Page.javascriptDialogOpening') complaints.push(`dialog: ${String(params.message)}`);
    if (method === 'Network.requestWillBeSent') requests.push((params.request as { url: string }).url);
  });
  const own = (method: string, params?: Fields) => send(session, method, params);
  for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'Audits']) await own(`${domain}.enable`);
  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const answer = await own('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails !== undefined) throw new Error(JSON.stringify(answer.exceptionDetails));
    return (answer.result as { value: Value }).value;
  };
  return {
    send: own,
    complaints,
    requests,
    evaluate,
    async open(url) {
      loaded = Promise.withResolvers();
      await own('Page.navigate', { url });
      await loaded.promise;
      requests.splice(0, requests.length, ...requests.filter((one) => one !== url));
      await evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    },
  };
}
