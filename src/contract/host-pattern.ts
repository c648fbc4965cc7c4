/** What an entry of an allow-list has to look like: a host, or `*.` and a domain, perhaps with a port. */
export const hostPattern = /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[1-9]\d{0,4})?$/;
