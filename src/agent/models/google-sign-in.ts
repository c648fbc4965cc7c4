import { GoogleAuth } from 'google-auth-library';

/** As much of a client of Google's library as the package for Vertex asks of one. */
export interface GoogleSignIn {
  /** Known after the first sign-in; null where nothing tells of it. */
  projectId: string | null;
  getRequestHeaders(): Promise<Headers>;
}

/** Signs in with a token that is there already. */
export function tokenSignIn(token: string): GoogleSignIn {
  return {
    projectId: null,
    getRequestHeaders: async () => new Headers({ authorization: `Bearer ${token}` }),
  };
}

/**
 * Signs in with what Google's library finds, `file` before all else, when it is first asked to. Left to itself, the package
 * would look for it at once, and an error that nobody waits for ends the process.
 */
export function googleSignIn(file: string | null, project: string | null): GoogleSignIn {
  const auth = new GoogleAuth({
    scopes: 'https://www.googleapis.com/auth/cloud-platform',
    ...(file !== null && { keyFilename: file }),
  });
  const signIn: GoogleSignIn = {
    projectId: project,
    async getRequestHeaders() {
      const headers = await (await auth.getClient()).getRequestHeaders();
      signIn.projectId ??= await auth.getProjectId();
      return headers;
    },
  };
  return signIn;
}
