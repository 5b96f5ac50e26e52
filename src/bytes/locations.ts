import { join } from 'node:path';

/** A directory in which an agent keeps its sessions. */
export interface Location {
  readonly agent: 'claude-code' | 'codex' | 'pi';
  readonly path: string;
}

/** Where installed agents keep their sessions, as far as the directories exist. */
export function defaultLocations(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  exists: (path: string) => boolean,
): Location[] {
  const locations = [...claudeCode(env, home), ...codex(env, home), ...pi(env, home)];
  return locations.filter(({ path }) => exists(path));
}

function claudeCode(env: Readonly<Record<string, string | undefined>>, home: string): Location[] {
  const named = (env.CLAUDE_CONFIG_DIR ?? '').split(',').map((part) => part.trim());
  const chosen = named.filter((part) => part !== '');
  const roots = chosen.length > 0 ? chosen : [join(home, '.claude'), join(home, '.config', 'claude')];
  // A list may name the projects directory itself.
  return roots.map((root) => ({
    agent: 'claude-code',
    path: /[\\/]projects[\\/]?$/.test(root) ? root : join(root, 'projects'),
  }));
}

function codex(env: Readonly<Record<string, string | undefined>>, home: string): Location[] {
  const root = env.CODEX_HOME?.trim() || join(home, '.codex');
  return ['sessions', 'archived_sessions'].map((name) => ({ agent: 'codex', path: join(root, name) }));
}

function pi(env: Readonly<Record<string, string | undefined>>, home: string): Location[] {
  const root = env.PI_CODING_AGENT_DIR?.trim() || join(home, '.pi', 'agent');
  return [{ agent: 'pi', path: join(root, 'sessions') }];
}
