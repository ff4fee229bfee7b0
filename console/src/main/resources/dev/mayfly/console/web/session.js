import * as api from './api.js';
import { Pauses } from './pauses.js';


/** Who is logged in; the same text for the same user. */
function who(user) {
  return user ? `${user.kind} ${user.user} ${user.database}` : '';
}

/**
 * Login and connection of the page. It asks for a login when the last one has ended, and tries
 * again with growing pauses while the server does not answer. A tab out of sight does not try.
 *
 * The host gets `requestUpdate()` after every change, and `begun()` after a login or reconnection.
 */
export class Session {
  /** @param {{requestUpdate: () => void, begun: () => void}} host */
  constructor(host) {
    this.host = host;
    this.user = undefined;
    this.login = undefined;
    this.lost = false;
    this.pauses = new Pauses();
    api.onEnded(() => this.renew());
    api.events.addEventListener('connection', (event) => this.connection(event.detail));
    document.addEventListener('visibilitychange', () => this.lost && this.tryNow());
  }

  /** Whether requests make sense: logged in, connected, in sight. */
  active() {
    return Boolean(this.user) && !this.login && !this.lost
      && document.visibilityState === 'visible';
  }

  /** Finds out who is logged in; logs in by itself where the server allows that. */
  async start() {
    if (this.starting) {
      return;
    }
    this.starting = true;
    try {
      this.begun(await api.me().catch(openLogin));
    } catch (refused) {
      this.refused(refused);
    } finally {
      this.starting = false;
      this.host.requestUpdate();
    }
  }

  refused(refused) {
    if (refused.status === 401 || refused.status === 403) {
      this.lost = false;
      this.login ??= { error: refused.code === 'LOGIN' ? '' : refused.message };
    } else {
      this.lose();
    }
  }

  /** Takes over a login. @param {Record<string, any>} user answer of the server */
  begun(user) {
    this.user = user;
    this.login = undefined;
    this.lost = false;
    this.pauses.reset();
    clearTimeout(this.timer);
    this.renewed?.();
    this.renewing = undefined;
    this.host.begun();
    this.host.requestUpdate();
    api.events.dispatchEvent(new Event('back'));
  }

  /** Resolves after the next login: with true if the same user has logged in. */
  renew() {
    const before = who(this.user);
    this.renewing ??= new Promise((done) => { this.renewed = done; });
    const renewing = this.renewing.then(() => who(this.user) === before);
    this.start();
    return renewing;
  }

  connection(answers) {
    if (answers && this.lost) {
      this.start();
    } else if (!answers && !this.lost) {
      this.lose();
    }
  }

  lose() {
    this.lost = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tryNow(), this.pauses.next());
    this.host.requestUpdate();
  }

  tryNow() {
    if (document.visibilityState === 'visible') {
      this.start();
    }
  }
}

function openLogin(refused) {
  if (refused.code === 'LOGIN' && refused.body.login === 'open') {
    return api.login();
  }
  throw refused;
}
