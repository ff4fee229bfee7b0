import { html, nothing } from 'lit';
import { PageElement } from './base.js';
import * as api from './api.js';
import { sayError } from './messages.js';
import { COLLECTION_PAGES, ROOT, SERVER_PAGES, followLink, go, place, toCollection }
  from './router.js';
import { TEXTS, databaseName, kindOf, isContainer } from './texts.js';
import { createCollection, dropCollection, renameCollection } from './collections.js';
import { Keys } from './keys.js';
import { openFinder } from './elements/m-finder.js';
import './login.js';
import './elements/m-tree.js';
import './elements/m-topbar.js';
import './elements/m-clockbar.js';
import { renderPage } from './pages/pages.js';

const STATUS_MILLIS = 5000;
const COLLECTIONS_MILLIS = 15000;
const LONGEST_PAUSE_MILLIS = 30000;

/** The frame: login, tree, bars, and the page of the current place. */
class MayflyApp extends PageElement {
  static properties = {
    session: { state: true },
    login: { state: true },
    collections: { state: true },
    status: { state: true },
    place: { state: true },
    lost: { state: true },
    menu: { state: true },
  };

  constructor() {
    super();
    this.place = place();
    this.collections = undefined;
    this.keys = new Keys(this);
    this.pauseMillis = 1000;
    api.events.addEventListener('logged-out', () => this.start());
    api.events.addEventListener('connection', (event) => this.connection(event.detail));
    window.addEventListener('popstate', () => this.moved());
    document.addEventListener('visibilitychange', () => this.refresh());
    this.addEventListener('click', followLink);
    this.addEventListener('collections-changed', () => this.readCollections());
    this.addEventListener('status-changed', () => this.readStatus());
  }

  connectedCallback() {
    super.connectedCallback();
    this.start();
    setInterval(() => this.inSight() && this.readStatus(), STATUS_MILLIS);
    setInterval(() => this.inSight() && this.readCollections(), COLLECTIONS_MILLIS);
  }

  inSight() {
    return document.visibilityState === 'visible' && this.session && !this.lost;
  }

  /** Finds out who is logged in; logs in by itself where the server allows that. */
  async start() {
    if (this.starting) {
      return;
    }
    this.starting = true;
    try {
      this.begun(await api.me());
    } catch (refused) {
      if (refused.code === 'LOGIN' && refused.body.login === 'open') {
        await this.openLogin();
      } else if (refused.status === 401 || refused.status === 403) {
        this.login = { error: refused.code === 'LOGIN' ? '' : refused.message };
      } else {
        this.lost = true;
        this.retry();
      }
    } finally {
      this.starting = false;
    }
  }

  async openLogin() {
    try {
      this.begun(await api.login());
    } catch (refused) {
      this.login = { error: refused.message };
    }
  }

  begun(session) {
    this.session = session;
    this.login = undefined;
    this.lost = false;
    this.refresh();
  }

  refresh() {
    if (this.inSight()) {
      this.readStatus();
      this.readCollections();
    }
  }

  async readStatus() {
    try {
      this.status = await api.status();
    } catch (error) {
      if (error.status > 0 && error.status !== 401) {
        this.status = { ...this.status, readiness: error.message };
      }
    }
  }

  async readCollections() {
    try {
      const { collections } = await api.get('/collections');
      this.collections = collections;
    } catch (error) {
      this.collections ??= [];
      if (error.status > 0 && error.status !== 401) {
        sayError(error);
      }
    }
  }

  connection(answers) {
    if (!answers && !this.lost) {
      this.lost = true;
      this.retry();
    }
  }

  retry() {
    setTimeout(async () => {
      try {
        this.begun(await api.me());
        this.pauseMillis = 1000;
      } catch (error) {
        if (error.status > 0) {
          this.lost = false;
          this.start();
        } else {
          this.pauseMillis = Math.min(2 * this.pauseMillis, LONGEST_PAUSE_MILLIS);
          this.retry();
        }
      }
    }, this.pauseMillis);
  }

  moved() {
    const before = JSON.stringify(this.place);
    this.place = place();
    this.menu = false;
    if (before !== JSON.stringify(this.place)) {
      this.updateComplete.then(() => {
        window.scrollTo(0, 0);
        this.querySelector('h1')?.focus({ preventScroll: true });
      });
    }
  }

  writable() {
    return this.session?.access !== 'read';
  }

  collection() {
    const { database, collection } = this.place;
    return this.collections?.find((each) =>
      each.database === database && each.collection === collection);
  }

  async create() {
    const made = await createCollection(this.session);
    if (made) {
      await this.readCollections();
      go(toCollection(made.database, made.collection, 'documents'));
    }
  }

  async change(work) {
    const target = await work(this.collection());
    if (target) {
      await this.readCollections();
      go(target);
    }
  }

  find() {
    openFinder(this.collections ?? [], this.session);
  }

  render() {
    if (!this.session) {
      return html`${this.login ? this.loginForm() : html`<p class="quiet page" role="status">
        ${this.lost ? TEXTS.lost : nothing}</p>`}<m-messages></m-messages>`;
    }
    const { collection } = this.place;
    document.title = collection ? `${collection} · Mayfly` : 'Mayfly';
    return html`<a class="skip" href="#main" @click=${this.skip}>Skip to the page</a>
      <div class="frame ${this.menu ? 'menu' : ''}">
        <div class="bars">${this.bars()}</div>
        <m-topbar class="top" role="banner" .session=${this.session} .status=${this.status}
          .menu=${Boolean(this.menu)} @menu=${() => { this.menu = !this.menu; }}
          @find=${this.find} @help=${() => this.keys.help()} @logout=${this.leave}></m-topbar>
        <nav class="side" aria-label="Collections">
          <m-tree .collections=${this.collections ?? []} .place=${this.place}
            part=${this.place.part && this.place.page === 'collection' ? this.place.part
              : 'documents'}
            ?writable=${this.writable()} @create=${this.create}></m-tree>
          <div class="foot row"><a href="${ROOT}">Overview</a><a href="${ROOT}changes">Changes</a>
            <a href="${ROOT}server/health">Server</a><a href="${ROOT}connect">Connect</a></div>
        </nav>
        <main class="page" id="main" tabindex="-1">${this.page()}</main>
      </div>
      ${this.login ? this.loginForm() : nothing}
      <m-messages></m-messages>`;
  }

  skip(event) {
    event.preventDefault();
    event.stopPropagation();
    this.querySelector('#main').focus();
  }

  loginForm() {
    return html`<m-login .error=${this.login.error} .over=${Boolean(this.session)}
      @logged-in=${(event) => this.begun(event.detail)}></m-login>`;
  }

  async leave() {
    await api.logout().catch(sayError);
    location.reload();
  }

  bars() {
    const { label, colour, access } = this.session;
    return html`
      ${label ? html`<div class="label-bar ${colour ?? ''}">${label}</div>` : nothing}
      ${this.lost ? html`<div class="bar warn" role="alert">${TEXTS.lost}</div>` : nothing}
      ${access === 'read' ? html`<div class="bar warn">${TEXTS.readOnly}${TEXTS.readAccess}</div>`
        : nothing}
      ${this.status?.sweep?.paused ? html`<div class="bar warn">${TEXTS.sweepPaused}
        <a href="${ROOT}server/health">Resume it</a></div>` : nothing}
      ${this.status?.clock?.movable ? html`<m-clockbar .clock=${this.status.clock}
        ?writable=${this.writable()}></m-clockbar>` : nothing}`;
  }

  page() {
    const { page, part } = this.place;
    const collection = page === 'collection' ? this.collection() : undefined;
    if (page === 'collection' && this.collections && !collection) {
      return html`<h1 tabindex="-1">${this.place.collection}</h1><p class="empty">There is no
        collection ${databaseName(this.place.database)}.${this.place.collection}. It may have been
        dropped or renamed.</p>`;
    }
    if (page === 'collection' && !collection) {
      return html`<p class="quiet" role="status">Loading…</p>`;
    }
    return html`${page === 'collection' ? this.collectionHead(collection) : nothing}
      ${page === 'server' ? this.serverHead() : nothing}
      ${renderPage(this, page, part, collection)}`;
  }

  collectionHead(collection) {
    const { database, collection: name } = collection;
    return html`<div class="page-head"><div class="grow">
        <h1 tabindex="-1">${name}</h1>
        <p class="muted">${isContainer(collection) ? 'Cosmos DB' : 'MongoDB'} ${kindOf(collection)}
          in ${databaseName(database)}</p></div>
        ${this.writable() ? html`
          ${isContainer(collection) ? nothing : html`<button
            @click=${() => this.change(renameCollection)}>Rename…</button>`}
          <button class="danger" @click=${() => this.change(dropCollection)}>Drop…</button>`
          : nothing}</div>
      <nav class="tabs" aria-label="Pages of ${name}">${COLLECTION_PAGES.map(([part, label]) =>
        html`
        <a href=${toCollection(database, name, part)}
          aria-current=${part === this.place.part ? 'page' : nothing}>${label}</a>`)}</nav>`;
  }

  serverHead() {
    return html`<div class="page-head"><h1 tabindex="-1">Server</h1></div>
      <nav class="tabs" aria-label="Pages of the server">${SERVER_PAGES.map(([part, label]) => html`
        <a href="${ROOT}server/${part}"
          aria-current=${part === this.place.part ? 'page' : nothing}>${label}</a>`)}</nav>`;
  }
}

customElements.define('mayfly-app', MayflyApp);
