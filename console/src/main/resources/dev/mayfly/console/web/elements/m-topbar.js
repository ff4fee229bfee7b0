import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { counted } from '../format.js';
import { ROOT } from '../router.js';
import './m-now.js';

const THEMES = { '': 'system', light: 'light', dark: 'dark' };

/** Bar at the top: search, clock, theme, user. Events: `menu`, `find`, `help`, `logout`. */
class TopBar extends PageElement {
  static properties = {
    session: { attribute: false },
    status: { attribute: false },
    menu: { attribute: false },
    theme: { state: true },
  };

  constructor() {
    super();
    this.theme = '';
  }

  switchTheme() {
    const names = Object.keys(THEMES);
    this.theme = names[(names.indexOf(this.theme) + 1) % names.length];
    if (this.theme) {
      document.documentElement.dataset.theme = this.theme;
    } else {
      delete document.documentElement.dataset.theme;
    }
  }

  who() {
    const { kind, user, database } = this.session;
    return kind === 'user' ? `${user}@${database}` : kind === 'key' ? 'by key' : 'this machine';
  }

  render() {
    const ready = this.status?.ready;
    return html`
      <button class="menu-button icon" aria-expanded=${this.menu ? 'true' : 'false'}
        aria-label="Collections" @click=${() => this.fire('menu')}>☰</button>
      <a class="brand" href=${ROOT}><svg viewBox="0 0 24 24" aria-hidden="true" fill="none"
        stroke="currentColor" stroke-width="1.7" stroke-linecap="round"><path d="M12 3v13M12 16
        q-1 4-4 5M12 16q1 4 4 5M12 6C8 1 2 2 3 6s6 4 9 2M12 6c4-5 10-4 9 0s-6 4-9 2"/>
          </svg>Mayfly</a>
      <button @click=${() => this.fire('find')}>Go to…<kbd class="optional">Ctrl K</kbd></button>
      <span class="grow"></span>
      ${this.status ? html`<a class="badge ${ready ? 'ok' : 'danger'}" href="${ROOT}server/health"
        title=${this.status.readiness ?? ''}>${ready ? 'ready' : 'not ready'}</a>` : nothing}
      ${this.status?.alarms?.length ? html`<a class="badge warn" href="${ROOT}server/health"
        >${counted(this.status.alarms.length, 'alarm')}</a>` : nothing}
      <m-now class="optional small muted nums"></m-now>
      <button class="plain" aria-label="Theme: ${THEMES[this.theme]}" @click=${this.switchTheme}
        title="Theme: ${THEMES[this.theme]}"><span aria-hidden="true">◐</span><span
        class="optional">${THEMES[this.theme]}</span></button>
      <button class="plain icon" aria-label="Keys" title="Keys (?)"
        @click=${() => this.fire('help')}>?</button>
      <span class="small muted optional">${this.who()}</span>
      ${this.session.kind === 'open' ? nothing : html`<button class="plain"
        @click=${() => this.fire('logout')}>Log out</button>`}`;
  }
}

customElements.define('m-topbar', TopBar);
