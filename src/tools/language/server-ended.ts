/** The server is not there any more; its message says why, a clause with the server as its subject. */
export class ServerEnded extends Error {
  override readonly name = 'ServerEnded';
}
