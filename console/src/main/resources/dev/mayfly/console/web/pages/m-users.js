import { html } from 'lit';
import { Loader, PageElement } from '../base.js';
import { mongo } from '../commands.js';
import { ask } from '../dialogs.js';
import { say } from '../messages.js';

const ROLES = ['read', 'readWrite', 'dbAdmin', 'dbOwner', 'userAdmin', 'readAnyDatabase',
  'readWriteAnyDatabase', 'clusterMonitor', 'root'];

/** Users of the MongoDB door: add, roles, password, remove. */
class Users extends PageElement {
  static properties = { writable: { type: Boolean } };

  constructor() {
    super();
    this.loader = new Loader(this, (signal) => this.read(signal));
  }

  connectedCallback() {
    super.connectedCallback();
    this.loader.run();
  }

  async read(signal) {
    const { reply } = await mongo('admin', { usersInfo: { forAllDBs: true } }, undefined, signal);
    return JSON.parse(reply).users;
  }

  async act(question, message) {
    if (await ask(question)) {
      say(message);
      this.loader.run();
    }
  }

  add() {
    this.act({ title: 'Add a user', action: 'Add', body: (values, set) => html`
        ${field(set, 'user', 'Name', 'text')}${field(set, 'database', 'Database', 'text', 'admin')}
        ${field(set, 'password', 'Password', 'password')}${roles(values, set)}`,
      act: ({ user, database = 'admin', password, role = 'readWrite', on = 'admin' }) =>
        mongo(database,
        { createUser: user, pwd: password, roles: [{ role, db: on }] }) }, 'The user was added.');
  }

  password(user) {
    this.act({ title: `New password of ${user.user}`, action: 'Change', body: (values, set) =>
      field(set, 'password', 'Password', 'password'),
    act: ({ password }) => mongo(user.db, { updateUser: user.user, pwd: password }) },
    'The password was changed. Logins of this user have ended.');
  }

  roles(user) {
    this.act({ title: `Roles of ${user.user}`, action: 'Change', body: (values, set) => html`
        <p class="muted">This role replaces: ${shownRoles(user)}.</p>${roles(values, set)}`,
      act: ({ role = 'readWrite', on = 'admin' }) => mongo(user.db, { updateUser: user.user,
        roles: [{ role, db: on }] }) }, 'The roles were changed.');
  }

  remove(user) {
    this.act({ title: `Remove ${user.user}?`, action: 'Remove', danger: true, word: user.user,
      body: html`<p>The user ${user.user}@${user.db} can no longer log in.</p>`,
      act: () => mongo(user.db, { dropUser: user.user }) }, 'The user was removed.');
  }

  render() {
    const rows = this.loader.value ?? [];
    return html`<div class="stack">${this.loader.render()}
      <div><button class="primary" ?disabled=${!this.writable} @click=${this.add}>Add a
        user…</button></div>
      ${rows.length === 0 ? html`<div class="card empty"><p>There are no users. Programs on this
        machine
        need none unless the setting auth is always.</p></div>`
        : html`<div class="table-box" tabindex="0" role="region" aria-label="Users"><table>
          <thead><tr><th scope="col">User</th><th scope="col">Database</th><th
            scope="col">Roles</th>
            <th scope="col"><span class="unseen">Actions</span></th></tr></thead>
          <tbody>${rows.map((user) => html`<tr><th scope="row" class="wrap">${user.user}</th>
            <td>${user.db}</td><td>${shownRoles(user)}</td><td><div class="row">
              <button class="small" ?disabled=${!this.writable} @click=${() =>
                this.roles(user)}>Roles…
              </button>
              <button class="small" ?disabled=${!this.writable}
                @click=${() => this.password(user)}>Password…</button>
              <button class="small danger" ?disabled=${!this.writable}
                @click=${() => this.remove(user)}>Remove…</button></div></td></tr>`)}</tbody>
        </table></div>`}</div>`;
  }
}

function shownRoles(user) {
  return user.roles.map((each) => `${each.role} on ${each.db}`).join(', ') || 'none';
}

function field(set, name, label, type, value = '') {
  return html`<div class="field wide"><label for="user-${name}">${label}</label><input
    id="user-${name}" type=${type} required value=${value} autocomplete="new-password"
    @input=${(event) => set(name, event.target.value)}></div>`;
}

function roles(values, set) {
  return html`<div class="row"><div class="field"><label for="user-role">Role</label>
    <select id="user-role" @change=${(event) => set('role',
      event.target.value)}>${ROLES.map((role) =>
      html`<option .selected=${role === (values.role ?? 'readWrite')}>${role}</option>`)}</select>
        </div>
    <div class="field"><label for="user-on">on database</label><input id="user-on"
      .value=${values.on ?? 'admin'} @input=${(event) => set('on', event.target.value)}></div>
        </div>`;
}

customElements.define('m-users', Users);
