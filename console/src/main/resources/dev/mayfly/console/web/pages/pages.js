import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

/* Pages are loaded when they are first visited. */

const loaded = new Map();

/** Whether a page is loaded; otherwise loads it and then renders the frame again. */
function ready(name, app) {
  if (!loaded.has(name)) {
    loaded.set(name, false);
    import(`./m-${name}.js`).then(() => {
      loaded.set(name, true);
      app.requestUpdate();
    }, () => loaded.delete(name));
  }
  return loaded.get(name);
}

/**
 * Renders the page of a place.
 * @param {any} app the frame @param {string} page @param {string | undefined} part
 * @param {Record<string, any> | undefined} collection
 */
export function renderPage(app, page, part, collection) {
  const writable = app.writable();
  if (!ready(part ?? page, app)) {
    return html`<p class="quiet"></p>`;
  }
  if (page === 'collection') {
    return keyed(`${collection.database}/${collection.collection}/${part}`,
      COLLECTION[part](collection, writable, app.session));
  }
  if (page === 'server') {
    return SERVER[part](app.status, writable, app.session);
  }
  return OTHER[page](app, writable);
}

const COLLECTION = {
  documents: (c, w, s) => html`<m-documents .collection=${c} ?writable=${w} .session=${s}>
    </m-documents>`,
  ttl: (c, w) => html`<m-ttl .collection=${c} ?writable=${w}></m-ttl>`,
  forecast: (c) => html`<m-forecast .collection=${c}></m-forecast>`,
  changes: (c) => html`<m-changes .collection=${c}></m-changes>`,
  indexes: (c, w) => html`<m-indexes .collection=${c} ?writable=${w}></m-indexes>`,
  transfer: (c, w) => html`<m-transfer .collection=${c} ?writable=${w}></m-transfer>`,
  about: (c, w) => html`<m-about .collection=${c} ?writable=${w}></m-about>`,
};

const SERVER = {
  health: (status, w) => html`<m-health .status=${status} ?writable=${w}></m-health>`,
  slow: () => html`<m-slow></m-slow>`,
  running: (status, w) => html`<m-running ?writable=${w}></m-running>`,
  users: (status, w) => html`<m-users ?writable=${w}></m-users>`,
  key: (status, w, s) => html`<m-key .session=${s}></m-key>`,
  backup: (status, w) => html`<m-backup ?writable=${w}></m-backup>`,
  settings: () => html`<m-settings></m-settings>`,
};

const OTHER = {
  overview: (app, w) => html`<m-overview .status=${app.status} .collections=${app.collections}
    .session=${app.session} ?writable=${w}></m-overview>`,
  connect: () => html`<m-connect></m-connect>`,
  changes: () => html`<m-changes></m-changes>`,
};
