/* Places of the console and their addresses. Addresses name places, never filters, ids or keys. */

export const ROOT = '/_console/';

/** Pages of a collection: address and name. */
export const COLLECTION_PAGES = [
  ['documents', 'Documents'], ['ttl', 'Time to live'], ['forecast', 'Forecast'],
  ['changes', 'Changes'], ['indexes', 'Indexes'], ['transfer', 'Import and export'],
  ['about', 'About'],
];

/** Pages of the server: address and name. */
export const SERVER_PAGES = [
  ['health', 'Health'], ['slow', 'Slow operations'], ['running', 'Running'], ['users', 'Users'],
  ['key', 'Key'], ['backup', 'Backup'], ['settings', 'Settings'],
];

/** Pages beside those of collections: page, name and address. */
export const PLACES = [
  ['overview', 'Overview', ''], ['changes', 'Changes', 'changes'],
  ['server', 'Server', 'server/health'], ['connect', 'Connect', 'connect'],
];

/** @typedef {{page: string, database?: string, collection?: string, part?: string}} Place */

/** @returns {Place} */
export function place() {
  const parts = location.pathname.slice(ROOT.length).split('/').filter(Boolean);
  const [first, second, third, fourth] = parts.map(decoded);
  if (first === 'c' && second && third) {
    const known = COLLECTION_PAGES.some(([name]) => name === fourth);
    return { page: 'collection', database: second, collection: third,
      part: known ? fourth : 'documents' };
  }
  if (first === 'server') {
    const known = SERVER_PAGES.some(([name]) => name === second);
    return { page: 'server', part: known ? second : 'health' };
  }
  return { page: ['connect', 'changes'].includes(first) ? first : 'overview' };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Title of the tab at a place. @param {Place} at */
export function title(at) {
  const named = (pages, name) => pages.find(([each]) => each === name)?.[1];
  const name = at.collection ? `${at.collection}: ${named(COLLECTION_PAGES, at.part)}`
    : named(SERVER_PAGES, at.part) ?? named(PLACES, at.page);
  return `${name} · Mayfly`;
}

/** Address of a page of a collection. */
export function toCollection(database, collection, part = 'documents') {
  return `${ROOT}c/${encodeURIComponent(database)}/${encodeURIComponent(collection)}/${part}`;
}

/** Goes to an address without loading the page again. @param {string} address */
export function go(address) {
  if (address !== location.pathname) {
    history.pushState(null, '', address);
  }
  window.dispatchEvent(new PopStateEvent('popstate'));
}

/** Follows a click on a link of the console; leaves new tabs and other addresses to the browser. */
export function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (link && plain && !link.download && !link.target && link.pathname.startsWith(ROOT)
      && link.origin === location.origin) {
    event.preventDefault();
    go(link.pathname);
  }
}
