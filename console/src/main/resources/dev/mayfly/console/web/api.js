import { synchronize } from './clock.js';
import { toDate } from './format.js';

/* All requests to the server. No other file calls fetch. */

const ROOT = '/_mayfly';
const NO_ANSWER = 'The server does not answer. Nothing you typed is lost; the page tries again.';

let csrf = '';
let connected = true;
let ended = async () => false;

/** Refusal of the server, or no answer (status 0). */
export class ApiError extends Error {
  /** @param {number} status @param {Record<string, any>} body */
  constructor(status, body) {
    super(body.error ?? `The server refused the request (${status}).`);
    this.status = status;
    this.code = body.code;
    this.body = body;
  }
}

/** Events: `connection` with detail true or false; `back` after a login or a reconnection. */
export const events = new EventTarget();

/**
 * Sets what happens when the login has ended. The request is sent again if it resolves with true.
 * @param {() => Promise<boolean>} handler
 */
export function onEnded(handler) {
  ended = handler;
}

/** Whether the server answered the last request. */
export function isConnected() {
  return connected;
}

function reached(answers) {
  if (answers !== connected) {
    connected = answers;
    events.dispatchEvent(new CustomEvent('connection', { detail: answers }));
  }
}

/** Whether a request was refused, and not done, because its login is no longer valid. */
function needsLogin(status, answer, path) {
  return !['/login', '/logout', '/me', '/key'].includes(path)
    && (status === 401 || answer.code === 'TOKEN');
}

/**
 * @param {string} method @param {string} path below /_mayfly
 * @param {unknown} [body] @param {AbortSignal} [signal]
 * @param {boolean} [again] whether it was sent before
 * @returns {Promise<any>}
 */
async function ask(method, path, body, signal, again = false) {
  const headers = { accept: 'application/json' };
  if (csrf) {
    headers['x-mayfly-csrf'] = csrf;
  }
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
  }
  let reply;
  let text;
  try {
    reply = await fetch(ROOT + path, {
      method, headers, signal, credentials: 'same-origin', cache: 'no-store',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    text = await reply.text();
  } catch (error) {
    if (error.name === 'AbortError') {
      throw error;
    }
    reached(false);
    throw new ApiError(0, { error: NO_ANSWER });
  }
  reached(true);
  const answer = parsed(text);
  if (!reply.ok) {
    if (!again && needsLogin(reply.status, answer, path) && await ended()) {
      return ask(method, path, body, signal, true);
    }
    throw new ApiError(reply.status, answer);
  }
  return answer;
}

function parsed(text) {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return { error: text };
  }
}

/** @param {string} path @param {AbortSignal} [signal] */
export function get(path, signal) {
  return ask('GET', path, undefined, signal);
}

/** @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] */
export function post(path, body = {}, signal) {
  return ask('POST', path, body, signal);
}

/** @param {string} path @param {unknown} body */
export function put(path, body) {
  return ask('PUT', path, body);
}

/** @param {string} path */
export function remove(path) {
  return ask('DELETE', path);
}

/** Path of a request about a collection. */
export function collectionPath(database, collection, request) {
  const path = `/collections/${encodeURIComponent(database)}/${encodeURIComponent(collection)}`;
  return request ? `${path}/${request}` : path;
}

/** Who is logged in; keeps the token for later requests. */
export async function me() {
  return known(await get('/me'));
}

/** Logs in; without a body as any program on this machine. @param {object} [proof] */
export async function login(proof = {}) {
  return known(await post('/login', proof));
}

export async function logout() {
  await post('/logout');
  csrf = '';
}

function known(session) {
  csrf = session.csrf ?? csrf;
  return session;
}

/** Reads the status, and takes over the server's time. @param {AbortSignal} [signal] */
export async function status(signal) {
  const answer = await get('/status', signal);
  takeTime(answer.clock);
  return answer;
}

/** Moves a test clock. @param {object} move advanceMillis, to, or toNext */
export async function moveClock(move) {
  const clock = await post('/clock', move);
  takeTime(clock);
  return clock;
}

function takeTime(clock) {
  if (clock?.now) {
    synchronize(toDate(clock.now), Boolean(clock.stands));
  }
}
