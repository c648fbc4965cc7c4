const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;

/** Upload paths below a GitHub's address; GitHub Enterprise Server stores uploads there too. */
const uploadPaths = [
  /^\/user-attachments\/assets\/[0-9a-f-]{36}$/i,
  /^\/[\w.-]+\/[\w.-]+\/assets\/\d+\/[0-9a-f-]{36}$/i,
  /^\/storage\/user\/\d+\/files\/[0-9a-f-]{36}$/i,
];

/** Hosts that serve only uploads of github.com. */
const uploadHosts: readonly string[] = [
  'user-images.githubusercontent.com',
  'private-user-images.githubusercontent.com',
];

/**
 * Returns a key that is equal for all addresses of an upload, signed ones included. Null for an
 * address that is no upload of the GitHub at `serverUrl`. Nothing else is fetched as an image,
 * since anyone may write an address.
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

/** True if a redirect leads to the upload storage of the GitHub at `serverUrl`. */
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
  // With subdomain isolation, uploads are at media.HOSTNAME (GitHub Enterprise Server docs,
  // "Enabling subdomain isolation").
  return url.hostname === `media.${server.hostname}` && /^\/user\/\d+\/files\//.test(url.pathname);
}

/** Parses an address; null if it has credentials, which would be sent along. */
function plainUrl(address: string): URL | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url === null || url.username !== '' || url.password !== '' ? null : url;
}
