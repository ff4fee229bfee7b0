import { html } from 'lit';
import { get, put, remove } from './api.js';
import { newTag } from './commands.js';
import { ask } from './dialogs.js';
import { say, sayError } from './messages.js';

/* Queries of this tab, and queries that a user saved on the server. */

const past = new Map();
let proposal;

/** Hands a query over to the documents page of a collection, which shows it but does not run it. */
export function propose({ database, collection }, query) {
  proposal = { database, collection, query };
}

/** The query that was handed over for a collection, once. */
export function proposed({ database, collection }) {
  const found = proposal?.database === database && proposal.collection === collection
    ? proposal.query : undefined;
  proposal = undefined;
  return found;
}

/** Queries of this tab about a collection, newest first; the list can be changed. */
export function pastQueries({ database, collection }) {
  const key = `${database}/${collection}`;
  if (!past.has(key)) {
    past.set(key, []);
  }
  return past.get(key);
}

/** Saved queries of the user about a collection. */
export async function savedQueries({ database, collection }) {
  try {
    const { queries } = await get('/queries');
    return queries.filter((each) => each.database === database && each.collection === collection);
  } catch {
    return [];
  }
}

/** Asks for a name and saves a query. */
export async function saveQuery({ database, collection }, query) {
  const saved = await ask({ title: 'Save query', action: 'Save', body: (values, set) => html`
    <div class="field wide"><label for="query-name">Name</label><input id="query-name" required
      autocomplete="off" @input=${(event) => set('name', event.target.value)}></div>`,
    act: async ({ name }) => {
      const id = newTag().replace(/\W/g, '');
      const text = JSON.stringify(query);
      await put(`/queries/${id}`, { name, database, collection, text });
      return { id, name, database, collection, text };
    } });
  if (saved) {
    say(`Saved as ${saved.name}.`);
  }
  return saved;
}

/** Lists saved queries, each with a button that deletes it. */
export function manageQueries(saved) {
  const gone = new Set();
  const body = (values, set) => html`<ul class="stack tight">
    ${saved.filter((each) => !gone.has(each.id)).map((each) => html`<li class="row between">
      <span class="wrap grow">${each.name}</span><button type="button" class="small danger"
        aria-label="Delete ${each.name}" @click=${() => remove(`/queries/${each.id}`).then(() => {
          gone.add(each.id);
          set('gone', gone.size);
        }, sayError)}>Delete</button></li>`)}</ul>`;
  return ask({ title: 'Saved queries', action: 'Close', body });
}
