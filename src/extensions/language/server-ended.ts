/**
 * The server is not there any more; its message says why, a clause with the server as its subject.
 */
export class ServerEnded extends Error {
  override readonly name = 'ServerEnded';
  /** True where it never answered at all, however long it was waited for. */
  readonly silent: boolean;

  constructor(message: string, { silent = false }: { readonly silent?: boolean } = {}) {
    super(message);
    this.silent = silent;
  }
}
