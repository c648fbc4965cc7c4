/** Where the programs in a sandbox with a proxy find it: a port of a network that has nobody else. */
export const proxyUrl = 'http://127.0.0.1:3128';

/**
 * A program for `node -e`, with the path of a Unix socket, a command for bash as its arguments: joins the port of
 * `proxyUrl` to the socket, runs the command, and ends as it does. It belongs to the sandbox it runs in and knows nothing that
 * the command does not.
 */
export const forwarderProgram = `
const net = require('node:net');
const { argv, exit } = process;
const [socket, command] = argv.slice(1);
const server = net.createServer((from) => {
  const to = net.connect(socket);
  from.pipe(to).pipe(from);
  from.on('error', () => to.destroy());
  to.on('error', () => from.destroy());
});
server.listen(3128, '127.0.0.1', () => {
  const child = require('node:child_process').spawn('/bin/bash', ['-c', command], { stdio: 'inherit' });
  child.on('exit', (code, signal) => exit(code ?? 128 + (require('node:os').constants.signals[signal] ?? 0)));
});
`;
