import { html, nothing } from 'lit';
import { PageElement } from './base.js';
import * as api from './api.js';
import { sayError } from './messages.js';
import { COLLECTION_PAGES, PLACES, ROOT, SERVER_PAGES, followLink, go, place, title,
  toCollection } from './router.js';
import { TEXTS, databaseName, gone, isContainer, kindOf, readOnlyReason } from './texts.js';
import { createCollection, dropCollection, renameCollection } from './collections.js';
import { Keys } from './keys.js';
import { openFinder } from './elements/m-finder.js';
import { Session } from './session.js';
import './login.js';
import './elements/m-splitter.js';
import './elements/m-tree.js';
import './elements/m-topbar.js';
import './elements/m-clockbar.js';
import { renderPage } from './pages/pages.js';

const STATUS_MILLIS = 5000;
const COLLECTIONS_MILLIS = 15000;

/** The frame: login, tree, bars, and the page of the current place. */
class MayflyApp extends PageElement {
  static properties = {
    collections: { state: true },
    status: { state: true },
    place: { state: true },
    menu: { state: true },
  };

  constructor() {
    super();
    this.place = place();
    this.collections = undefined;
    this.keys = new Keys(this);
    this.link = new Session(this);
    window.addEventListener('popstate', () => this.moved());
    document.addEventListener('visibilitychange', () => this.begun());
    this.addEventListener('click', followLink);
    this.addEventListener('keydown', (event) => {
      this.menu = this.menu && event.key !== 'Escape';
    });
    this.addEventListener('collections-changed', () => this.readCollections());
    this.addEventListener('status-changed', () => this.readStatus());
  }

  connectedCallback() {
    super.connectedCallback();
    this.link.start();
    setInterval(() => this.link.active() && this.readStatus(), STATUS_MILLIS);
    setInterval(() => this.link.active() && this.readCollections(), COLLECTIONS_MILLIS);
  }

  get session() {
    return this.link.user;
  }

  begun() {
    if (this.link.active()) {
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

  /** In a small window the tabs scroll; the current one comes into sight. */
  updated() {
    const tab = this.querySelector('.tabs [aria-current]');
    if (tab && tab !== this.tab) {
      const tabs = tab.parentElement;
      tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - tab.offsetWidth;
    }
    this.tab = tab;
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

  /** Why nothing can be changed; empty if something can. */
  readOnly() {
    return readOnlyReason(this.session);
  }

  writable() {
    return !this.readOnly();
  }

  collection() {
    const { database, collection } = this.place;
    return this.collections?.find((each) =>
      each.database === database && each.collection === collection);
  }

  async create() {
    const made = await createCollection(this.session, this.collections ?? []);
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
      return html`${this.link.login ? this.loginForm() : html`<p class="quiet page" role="status">
        ${this.link.lost ? TEXTS.lost : nothing}</p>`}<m-messages></m-messages>`;
    }
    document.title = title(this.place);
    return html`<a class="skip" href="#main" @click=${this.skip}>Skip to the page</a>
      <div class="frame ${this.menu ? 'menu' : ''}">
        <div class="bars">${this.bars()}</div>
        <m-topbar class="top" role="banner" .session=${this.session} .status=${this.status}
          .menu=${Boolean(this.menu)} @menu=${() => { this.menu = !this.menu; }}
          @find=${this.find} @help=${() => this.keys.help()} @logout=${this.leave}></m-topbar>
        <div class="side" id="side">
          <nav class="places" aria-label="Server">${PLACES.map(([page, name, path]) => html`
            <a href="${ROOT}${path}" aria-current=${page === this.place.page ? 'page' : nothing}
              >${name}</a>`)}</nav>
          <nav class="collections" aria-label="Collections">
          <m-tree .collections=${this.collections} .place=${this.place}
            part=${this.place.part && this.place.page === 'collection' ? this.place.part
              : 'documents'}
            ?writable=${this.writable()} @create=${this.create}></m-tree></nav>
          <m-splitter label="Width of the list of collections" variable="--tree" standard="304"
            most="640"></m-splitter>
        </div>
        <main class="page" id="main" tabindex="-1">${this.page()}</main>
      </div>
      ${this.link.login ? this.loginForm() : nothing}
      <m-messages></m-messages>`;
  }

  skip(event) {
    event.preventDefault();
    event.stopPropagation();
    this.querySelector('#main').focus();
  }

  loginForm() {
    return html`<m-login .error=${this.link.login.error} .over=${Boolean(this.session)}
      @logged-in=${(event) => this.link.begun(event.detail)}></m-login>`;
  }

  async leave() {
    await api.logout().catch(sayError);
    location.reload();
  }

  bars() {
    const { label, colour } = this.session;
    const reason = this.readOnly();
    return html`
      ${label ? html`<div class="label-bar ${colour ?? ''}">${label}</div>` : nothing}
      ${this.link.lost ? html`<div class="bar warn" role="alert">${TEXTS.lost}
        <button class="small" @click=${() => this.link.tryNow()}>Try now</button></div>` : nothing}
      ${reason ? html`<div class="bar warn">${TEXTS.readOnly}${reason}</div>` : nothing}
      ${this.status?.disk?.writable === false ? html`<div class="bar warn" role="status">
        ${TEXTS.diskFull} <a href="${ROOT}server/health">Health</a></div>` : nothing}
      ${this.status?.sweep?.paused ? html`<div class="bar warn">${TEXTS.sweepPaused}
        <a href="${ROOT}server/health">Resume it</a></div>` : nothing}
      ${this.status?.clock?.movable ? html`<m-clockbar .clock=${this.status.clock}
        ?writable=${this.writable()}></m-clockbar>` : nothing}`;
  }

  page() {
    const { page, part } = this.place;
    const found = this.collection();
    // a page that is open stays if its collection goes: something may have been typed there
    const open = this.open?.place === this.place ? this.open.collection : undefined;
    const collection = page === 'collection' ? found ?? open : undefined;
    this.open = collection && { place: this.place, collection };
    if (page === 'collection' && this.collections && !collection) {
      return html`<h1 tabindex="-1">${this.place.collection}</h1>
        <p class="empty">${gone(this.place)}</p>`;
    }
    if (page === 'collection' && !collection) {
      return html`<p class="quiet" role="status">Loading…</p>`;
    }
    const warning = collection && !found ? html`<div class="card warn" role="alert">
      <p>${gone(this.place)}</p></div>` : nothing;
    return html`${page === 'collection' ? this.collectionHead(collection) : nothing}
      ${page === 'server' ? this.serverHead() : nothing}${warning}
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
