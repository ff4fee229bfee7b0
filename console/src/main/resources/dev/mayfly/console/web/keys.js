import { html } from 'lit';
import { ask } from './dialogs.js';
import { ROOT, go, toCollection } from './router.js';

const GO = { o: 'overview', d: 'documents', t: 'ttl', f: 'forecast', c: 'changes', i: 'indexes',
  a: 'about', s: 'server', n: 'connect' };
const SHOWN = [
  ['Ctrl K', 'go to anything'], ['g then o', 'overview'], ['g then d', 'documents'],
  ['g then t', 'time to live'], ['g then f', 'forecast'], ['g then c', 'changes'],
  ['g then i', 'indexes'], ['g then a', 'about the collection'], ['g then s', 'server'],
  ['g then n', 'connect'], ['/', 'filter'], ['n', 'insert a document'],
  ['Ctrl Enter', 'run the query, or the selected part'], ['Ctrl S', 'save the document'],
  ['Esc', 'stop the query, or close'], ['arrows, Home, End, Page keys', 'move in lists'],
  ['Enter, Space', 'open, select in lists'], ['?', 'this list'],
];

/** Keys of the whole page. Single letters work outside of text only, and can be switched off. */
export class Keys {
  constructor(app) {
    this.app = app;
    this.letters = true;
    this.after = '';
    document.addEventListener('keydown', (event) => this.pressed(event));
  }

  pressed(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      this.app.find();
    } else if (this.letters && !event.ctrlKey && !event.metaKey && !event.altKey
        && !inText(event) && !document.querySelector('dialog[open]')) {
      this.letter(event);
    }
  }

  letter(event) {
    const before = this.after;
    this.after = event.key === 'g' && before !== 'g' ? 'g' : '';
    if (before === 'g' && GO[event.key]) {
      event.preventDefault();
      this.goTo(GO[event.key]);
    } else if (event.key === '?') {
      this.help();
    } else if (event.key === '/' || event.key === 'n') {
      const wanted = event.key === '/' ? '[data-filter]' : '[data-insert]';
      const target = this.app.querySelector(wanted)
        ?? (event.key === '/' ? this.app.querySelector('m-tree input') : undefined);
      if (target) {
        event.preventDefault();
        (event.key === '/' ? () => target.focus() : () => target.click())();
      }
    }
  }

  goTo(page) {
    const { database, collection } = this.app.place;
    const fixed = { overview: ROOT, server: `${ROOT}server/health`, connect: `${ROOT}connect` };
    if (fixed[page]) {
      go(fixed[page]);
    } else if (collection) {
      go(toCollection(database, collection, page));
    } else if (page === 'changes') {
      go(`${ROOT}changes`);
    }
  }

  help() {
    ask({ title: 'Keys', action: 'Close', wide: false,
      body: (values, set) => html`<dl class="facts">${SHOWN.map(([keys, what]) => html`
        <dt><kbd>${keys}</kbd></dt><dd>${what}</dd>`)}</dl>
        <label class="choice"><input type="checkbox" .checked=${values.letters ?? this.letters}
          @change=${(event) => { this.letters = event.target.checked;
            set('letters', this.letters); }}>Single letters are keys</label>
        <p class="hint">Tab leaves the editor.</p>` });
  }
}

function inText(event) {
  const target = event.composedPath()[0];
  return target instanceof Element
    && (target.matches('input, textarea, select') || target.closest('[contenteditable="true"]'));
}
