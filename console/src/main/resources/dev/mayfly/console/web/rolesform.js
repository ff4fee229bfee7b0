import { html } from 'lit';

/* Form of the roles of a user: a row for each. */

const OF_DATABASE = ['read', 'readWrite', 'dbAdmin', 'dbOwner', 'userAdmin'];
const OF_ADMIN = ['readAnyDatabase', 'readWriteAnyDatabase', 'dbAdminAnyDatabase',
  'userAdminAnyDatabase', 'clusterMonitor', 'clusterManager', 'hostManager', 'clusterAdmin',
  'backup', 'restore', 'root'];

/** Roles with which the form for a new user begins. */
export const FIRST_ROLES = [{ role: 'readWriteAnyDatabase', db: 'admin' }];

/** @typedef {{role: string, db: string}} Role */

/**
 * Rows of roles; an own role of the server stays as it is.
 * @param {Role[]} roles @param {(roles: Role[]) => void} set
 */
export function rolesForm(roles, set) {
  const change = (i, changed) => set(roles.map((each, at) => (at === i ? { ...each, ...changed }
    : each)));
  return html`<fieldset class="stack tight"><legend>Roles</legend>
    ${roles.map((each, i) => row(each, i, change, () => set(roles.filter((_, at) => at !== i))))}
    ${roles.length === 0 ? html`<p class="hint">Without a role the user can log in, and do
      nothing.</p>` : ''}
    <div><button type="button" class="small" @click=${() => set([...roles,
      { role: 'read', db: 'test' }])}>Add a role</button></div></fieldset>`;
}

function row(each, i, change, remove) {
  const known = [...OF_DATABASE, ...OF_ADMIN];
  const names = known.includes(each.role) ? known : [each.role, ...known];
  const everywhere = OF_ADMIN.includes(each.role);
  const chosen = (role) => change(i, { role, db: OF_ADMIN.includes(role) ? 'admin' : each.db });
  return html`<div class="row">
    <select aria-label="Role ${i + 1}" @change=${(event) => chosen(event.target.value)}>
      ${names.map((role) => html`<option .selected=${role === each.role}>${role}</option>`)}
    </select>
    <span>on</span>
    <input class="short" aria-label="Database of role ${i + 1}" required .value=${each.db}
      ?readonly=${everywhere} autocomplete="off"
      @input=${(event) => change(i, { db: event.target.value })}>
    <button type="button" class="small" aria-label="Take role ${i + 1} away" @click=${remove}
      >Take away</button></div>`;
}
