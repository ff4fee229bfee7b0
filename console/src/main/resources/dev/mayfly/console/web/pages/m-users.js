import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { mongo } from '../commands.js';
import { ask } from '../dialogs.js';
import { say } from '../messages.js';
import { FIRST_ROLES, rolesForm } from '../rolesform.js';

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

  async act(question, values, message) {
    if (await ask(question, values)) {
      say(message);
      this.loader.run();
    }
  }

  add() {
    this.act({ title: 'Add a user', action: 'Add', body: (values, set) => html`
        ${field(values, set, 'user', 'Name', 'text')}
        ${field(values, set, 'database', 'Database where the user logs in', 'text')}
        ${field(values, set, 'password', 'Password', 'password')}
        ${rolesForm(values.roles, (roles) => set('roles', roles))}`,
      act: ({ user, database, password, roles }) => mongo(database,
        { createUser: user, pwd: password, roles }) },
    { database: 'admin', roles: FIRST_ROLES }, 'The user was added.');
  }

  password(user) {
    this.act({ title: `New password of ${user.user}`, action: 'Change', body: (values, set) => html`
        ${field(values, set, 'password', 'Password', 'password')}
        <p class="hint">Logins of this user to the console end.</p>`,
      act: ({ password }) => mongo(user.db, { updateUser: user.user, pwd: password }) },
    {}, 'The password was changed.');
  }

  roles(user) {
    this.act({ title: `Roles of ${user.user}`, action: 'Change', body: (values, set) =>
      rolesForm(values.roles, (roles) => set('roles', roles)),
      act: ({ roles }) => mongo(user.db, { updateUser: user.user, roles }) },
    { roles: user.roles.map(({ role, db }) => ({ role, db })) }, 'The roles were changed.');
  }

  removeUser(user) {
    this.act({ title: `Remove ${user.user}?`, action: 'Remove', danger: true, word: user.user,
      body: html`<p>The user ${user.user}@${user.db} can no longer log in.</p>`,
      act: () => mongo(user.db, { dropUser: user.user }) }, {}, 'The user was removed.');
  }

  render() {
    const rows = this.loader.value ?? [];
    return html`<div class="stack">${this.loader.render()}
      <div><button class="primary" ?disabled=${!this.writable} @click=${this.add}>Add a
        user…</button></div>
      ${this.loader.value && rows.length === 0 ? html`<div class="card empty"><p>There are no users.
        Programs on this machine need none unless the setting <code>auth</code> is
        <code>always</code>.</p></div>` : nothing}
      ${rows.length > 0 ? html`<div class="table-box" tabindex="0" role="region"
          aria-label="Users"><table>
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
                @click=${() => this.removeUser(user)}>Remove…</button></div></td></tr>`)}</tbody>
        </table></div>` : nothing}</div>`;
  }
}

function shownRoles(user) {
  return user.roles.map((each) => `${each.role} on ${each.db}`).join(', ') || 'none';
}

function field(values, set, name, label, type) {
  return html`<div class="field wide"><label for="user-${name}">${label}</label><input
    id="user-${name}" type=${type} required .value=${values[name] ?? ''}
    autocomplete=${type === 'password' ? 'new-password' : 'off'}
    @input=${(event) => set(name, event.target.value)}></div>`;
}

customElements.define('m-users', Users);
