const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;

/** Paths below the address of a GitHub that lead to uploads; on a server of one's own they are kept there as well. */
const uploadPaths = [
  /^\/user-attachments\/assets\/[0-9a-f-]{36}$/i,
  /^\/[\w.-]+\/[\w.-]+\/assets\/\d+\/[0-9a-f-]{36}$/i,
  /^\/storage\/user\/\d+\/files\/[0-9a-f-]{36}$/i,
];

/** Hosts that give out uploads of github.com and of nothing else. */
const uploadHosts: readonly string[] = [
  'user-images.githubusercontent.com',
  'private-user-images.githubusercontent.com',
];

/**
 * What stays the same of an upload under each of its addresses, the signed ones included: null for an address that is no
 * upload to the GitHub at `serverUrl`. Nothing else is ever asked for an image, since anybody may write an address.
 */
export function uploadKey(address: string, serverUrl: string): string | null {
  const url = plainUrl(address);
  if (url === null) return null;
  const server = new URL(serverUrl);
  const isOurs =
    url.origin === server.origin
      ? uploadPaths.some((path) => path.test(url.pathname))
      : url.protocol === 'https:' && url.port === '' && isUploadHost(url, server);
  if (!isOurs) return null;
  return (uuid.exec(url.pathname)?.[0] ?? `${url.host}${url.pathname}`).toLowerCase();
}

/** Whether a redirect of an upload leads to where the GitHub at `serverUrl` keeps what was uploaded. */
export function isUploadStore(address: string, serverUrl: string): boolean {
  if (uploadKey(address, serverUrl) !== null) return true;
  const url = plainUrl(address);
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.port === '' &&
    new URL(serverUrl).host === 'github.com' &&
    /^github-production-user-asset-[0-9a-f]+\.s3\.amazonaws\.com$/.test(url.hostname)
  );
}

function isUploadHost(url: URL, server: URL): boolean {
  if (server.host === 'github.com') return uploadHosts.includes(url.hostname);
  // GitHub Enterprise Server docs, "Enabling subdomain isolation": uploads are at media.HOSTNAME then.
  return url.hostname === `media.${server.hostname}` && /^\/user\/\d+\/files\//.test(url.pathname);
}

/** The address without credentials in it, which would be sent along. */
function plainUrl(address: string): URL | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url === null || url.username !== '' || url.password !== '' ? null : url;
}
