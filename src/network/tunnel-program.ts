/** An outside service that programs in the sandbox reach at `address` and `port`. */
export interface Tunnel {
  readonly host: string;
  readonly port: number;
  /** In the sandbox's own loopback network. */
  readonly address: string;
}

/**
 * A program for `node -e`; its arguments are the proxy's Unix socket, the tunnels as JSON and a
 * command for bash. It joins the port of `proxyUrl` to the socket and each tunnel to a CONNECT of
 * the proxy (RFC 9110, 9.3.6). It runs the command when all of them listen, and ends as it does. It
 * is part of the sandbox and knows nothing that the command does not.
 */
export const tunnelProgram = `
const net = require('node:net');
const { argv, exit } = process;
const [socket, tunnels, command] = argv.slice(1);
const join = (from, to) => {
  from.pipe(to).pipe(from);
  from.on('error', () => to.destroy());
  to.on('error', () => from.destroy());
  from.on('close', () => to.destroy());
};
const raw = (from) => join(from, net.connect(socket));
const through = (target) => (from) => {
  from.on('error', () => undefined);
  const to = net.connect(socket);
  let head = Buffer.alloc(0);
  const read = (chunk) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\\r\\n\\r\\n');
    if (end < 0 && head.length < 4096) return;
    to.off('data', read);
    to.pause();
    if (!/^HTTP\\/1\\.1 200 /.test(head.toString('latin1'))) return from.destroy();
    if (head.length > end + 4) from.write(head.subarray(end + 4));
    join(from, to);
  };
  to.on('data', read);
  to.on('error', () => from.destroy());
  to.write('CONNECT ' + target + ' HTTP/1.1\\r\\nHost: ' + target + '\\r\\n\\r\\n');
};
const listen = (port, address, handle) =>
  new Promise((settle, fail) => net.createServer(handle).on('error', fail).listen(port, address, settle));
Promise.all([
  listen(3128, '127.0.0.1', raw),
  ...JSON.parse(tunnels).map(({ host, port, address }) => listen(port, address, through(host + ':' + port))),
]).then(() => {
  const child = require('node:child_process').spawn('/bin/bash', ['-c', command], { stdio: 'inherit' });
  child.on('exit', (code, signal) => exit(code ?? 128 + (require('node:os').constants.signals[signal] ?? 0)));
});
`;

/** The proxy's URL inside a sandbox, whose network has no other process on this port. */
export const proxyUrl = 'http://127.0.0.1:3128';
