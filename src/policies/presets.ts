import type { Preset } from './policy.ts';

/** heph's rule of what is too short to elide, for our own variations of it. */
const likeHeph = 'replacement=line,stub_tokens=15,min_chars=300,tools=not-skills-or-answers';

/**
 * Settings of real systems, as far as their rules are known. Sizes of summaries are constants,
 * because no model runs offline: 2,800 tokens where nothing else is known. Windows are those of the model that is replayed,
 * unless a system has a table of its own (`windows`). What a system keeps free is in its level: the run's reserve is not its.
 */
export const presets: readonly Preset[] = [
  // The two systems whose documents this tool grew from.
  {
    name: 'heph',
    policy: 'elide+fold',
    summary:
      'Old tool results become stubs at each turn start; a history above high water is folded into a state record.',
    origin: 'heph, as of its documentation of the [context] table',
    date: '2026-11',
    evidence: 'documentation',
    parts: [
      { label: 'elision alone', policy: 'elide' },
      { label: 'terse_success on top', policy: 'elide:terse_success=on+fold' },
    ],
    config: {
      form: 'toml',
      table: 'context',
      keys: ['recent_turns', 'high_water', 'low_water', 'summary_max_tokens', 'instruction_max_tokens'],
    },
  },
  {
    name: 'bi',
    policy: 'turn-summary',
    summary: 'Six turns in full, older ones as a summary made by rule, which moves on every third turn.',
    origin: 'Bi, as of its page on context management',
    date: '2026-11',
    evidence: 'documentation',
    config: { form: 'json', keys: ['recent_turns_full'] },
  },

  // Nothing at all, and cuts before a result is ever sent.
  {
    name: 'none',
    policy: 'full',
    summary: 'Nothing is ever changed.',
    origin: 'any agent without a context policy',
    date: '2026-09',
    evidence: 'documentation',
  },
  {
    name: 'mini-swe-agent',
    policy: 'truncate-ingest:max_chars=10000,kept_chars=10000',
    summary: 'Output of 10,000 characters or more is cut to its first and last 5,000 when it is recorded.',
    origin: 'mini-swe-agent @a83fcae8',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'codex-tool-truncate',
    policy: 'truncate-ingest:max_chars=0,max_tokens=12000,kept_tokens=12000',
    summary: 'Tool output is cut in the middle to 10,000 tokens and a fifth more when it is recorded.',
    origin: 'OpenAI Codex CLI @023fad26',
    date: '2026-09',
    evidence: 'source read',
  },

  // Anthropic API.
  {
    name: 'anthropic-clear-tool-uses',
    policy: 'mask:trigger=100000,strict=yes,keep_uses=3',
    summary:
      'Above 100,000 input tokens all but the newest three tool results are cleared, and again once the edited prompt is above that (how it advances is not documented; measure=raw slides).',
    origin: 'Anthropic API clear_tool_uses_20250919',
    date: '2026-08-21',
    evidence: 'documentation',
  },
  {
    name: 'anthropic-clear-thinking',
    policy: 'clear-thinking:keep_turns=1',
    summary: 'Only the last assistant turn keeps its thinking, the default of older models (newer ones keep all).',
    origin: 'Anthropic API clear_thinking_20251015',
    date: '2026-08-21',
    evidence: 'documentation',
  },
  {
    name: 'anthropic-compact',
    policy: 'compact:trigger=150000,call=server,prompt_tokens=120,summary_tokens=3500',
    summary:
      'From 150,000 input tokens on, the provider replaces everything by a summary, billed as an iteration of its own.',
    origin: 'Anthropic API compact_20260112',
    date: '2026-08-21',
    evidence: 'documentation',
  },
  {
    name: 'anthropic-sdk-compact',
    policy:
      'compact:when=response,measure=last,trigger=100000,strict=yes,call=fresh,prompt_tokens=650,summary_tokens=2500',
    summary: 'After a response of more than 100,000 tokens in all, the client replaces the history by a summary.',
    origin: 'Anthropic SDK compaction_control (removed in Python 1.0)',
    date: '2026-08-21',
    evidence: 'documentation',
  },

  // GitHub Copilot.
  {
    name: 'vscode-copilot-context-editing',
    policy: 'clear-thinking:keep_turns=1+mask:trigger=80000,strict=yes,keep_uses=3,min_gain=10000,inputs=clear',
    summary:
      'Above 80,000 tokens results and their arguments are cleared but for three uses, if that frees 10,000 tokens.',
    origin: 'VS Code Copilot Chat @074c972f',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'vscode-copilot-bg',
    policy: 'compact:trigger_fraction=0.68,keep_messages=2,background=yes,call=fresh',
    summary: 'At 0.80 of 0.85 of the window a summary of all but the last tool round is begun in the background.',
    origin: 'VS Code Copilot Chat @058cbb29',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'vscode-copilot-sync',
    policy: 'compact:trigger_fraction=0.85,keep_messages=2,call=fresh',
    summary:
      'What Copilot Chat does where the background summary is off: it waits for a summary at 0.85 of the window.',
    origin: 'VS Code Copilot Chat @058cbb29',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'copilot-cli',
    policy: 'compact:trigger_fraction=0.8,background=yes,call=fresh',
    summary: 'At 0.80 of the window a summary is begun in the background.',
    origin: '@github/copilot-sdk 1.0.14',
    date: '2026-09',
    evidence: 'source read',
  },

  // Claude Code.
  {
    name: 'claude-code-auto',
    policy: 'compact:trigger_reserve=33000,call=shared,reattach_tokens=15000',
    summary:
      'At the window less 33,000 tokens the conversation gives way to a summary, written over the warm prefix; a few files are read again.',
    origin: 'Claude Code 2.1',
    date: '2026-08-21',
    evidence: 'second-hand',
  },
  {
    name: 'claude-code-micro-time',
    policy: 'mask:when=cold,idle_seconds=3600,tools=files-shell-web,keep_uses=5',
    summary: 'After a pause of an hour all but the newest five results of files, shell, search and web are cleared.',
    origin: 'Claude Code 2.1 (behind a flag)',
    date: '2026-08-21',
    evidence: 'second-hand',
  },
  {
    name: 'claude-code-micro-cached',
    policy: 'mask:measure=uses,trigger=12,tools=files-shell-web,keep_uses=5,keeps_cache=yes',
    summary: 'From 12 results on all but five are deleted in the cached prompt as well, so the prefix stays warm.',
    origin: 'Claude Code 2.1 (cache_edits)',
    date: '2026-08-21',
    evidence: 'second-hand',
  },
  {
    name: 'claude-code-idle',
    policy:
      'compact:when=idle,trigger=100000,call=shared,reattach_tokens=15000+compact:trigger_reserve=33000,call=shared,reattach_tokens=15000',
    summary:
      'In a pause, shortly before the cache entry expires, a conversation of some size (100,000 tokens assumed) is summarized while that is still a read; else as claude-code-auto.',
    origin: 'Claude Code 2.1.286',
    date: '2026-08-21',
    evidence: 'second-hand',
  },

  // OpenAI.
  {
    name: 'codex-local',
    policy: 'compact:when=step,windows=codex,trigger_fraction=0.9,keep_user_tokens=20000,call=fresh,prompt_tokens=120',
    summary:
      'At 0.9 of the window, after a turn or between its requests, all but 20,000 tokens of user messages gives way to a summary; the call has no tools and so no warm prefix.',
    origin: 'OpenAI Codex CLI @0100b103',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'codex-remote-v1',
    policy: 'compact:when=step,windows=codex,trigger_fraction=0.9,call=fresh,prompt_tokens=0',
    summary: 'As codex-local, but the provider makes the replacement and decides what stays.',
    origin: 'OpenAI Codex CLI @001cb8e2',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'codex-remote-v2',
    policy: 'compact:when=step,windows=codex,trigger_fraction=0.9,keep_user_tokens=64000,call=shared,prompt_tokens=0',
    summary: 'As codex-local, over the live request with its tools; 64,000 tokens of user messages stay.',
    origin: 'OpenAI Codex CLI @009bd870',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'openai-server-compaction',
    policy: 'compact:trigger_fraction=0.9,call=server,prompt_tokens=0',
    summary:
      'The provider replaces what came before by an opaque item at a threshold that the client must give (0.9 of the window here).',
    origin: 'OpenAI Responses API context_management',
    date: '2026-09',
    evidence: 'documentation',
  },
  {
    name: 'openai-truncation-auto',
    policy: 'drop-window:when=overflow,trigger_reserve=0,keep_level=1,round=down',
    summary:
      'Once a request would not fit, the oldest items are dropped until it does: with every request from then on.',
    origin: 'OpenAI Responses API truncation=auto',
    date: '2026-09',
    evidence: 'documentation',
  },
  {
    name: 'openai-agents-compaction-session',
    policy: 'compact:when=turn-end,measure=events,trigger=10,call=fresh,prompt_tokens=0,summary_model=gpt-4.1',
    summary: 'After a turn with ten new items the session is replaced by a compacted one, made by a model of its own.',
    origin: 'openai-agents-python @7f7a44f8',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'openai-agents-sandbox',
    policy: 'compact:trigger=240000,call=server,prompt_tokens=0',
    summary:
      'The provider compacts from 240,000 tokens on: what the sandbox asks for where its table does not know the model.',
    origin: 'openai-agents-python @7f7a44f8, src/agents/sandbox/capabilities/compaction.py',
    date: '2026-08-22',
    evidence: 'source read',
  },
  {
    name: 'openai-agents-sandbox-dynamic',
    policy: 'compact:windows=openai-agents,trigger_fraction=0.9,call=server,prompt_tokens=0',
    summary: 'The same at 0.9 of the window that its table has for a model (1,047,576, 400,000, 200,000 or 128,000).',
    origin: 'openai-agents-python @7f7a44f8, src/agents/sandbox/capabilities/compaction.py',
    date: '2026-08-22',
    evidence: 'source read',
  },
  {
    name: 'openai-agents-trimmer',
    policy: 'mask:keep_turns=2,min_chars=500,replacement=preview,preview_chars=200,stub_tokens=15',
    summary: 'Results of more than 500 characters that are older than two turns are shown as 200 characters.',
    origin: 'openai-agents-python @7f7a44f8',
    date: '2026-09',
    evidence: 'source read',
  },

  // Google.
  {
    name: 'gemini-compress',
    policy:
      'compact:measure=last,trigger_fraction=0.5,keep_share=0.3,round=down,call=fresh,prompt_tokens=1000,result_cap=10000,verify=yes',
    summary:
      'At half of the window the oldest 70 % give way to a summary; two fresh calls, the second checks the first.',
    origin: 'Gemini CLI @5411f113',
    date: '2026-08-21',
    evidence: 'source read',
  },
  {
    name: 'gemini-mask',
    policy:
      'mask:min_gain=30000,keep_tokens=50000,keep_messages=1,tools=not-skills-or-answers,replacement=preview,preview_chars=500,stub_tokens=30',
    summary: 'Tool output beyond the newest 50,000 tokens is cut to 500 characters once that is worth 30,000 tokens.',
    origin: 'Gemini CLI @5411f113',
    date: '2026-08-21',
    evidence: 'source read',
  },
  {
    name: 'adk-interval',
    policy: 'compact:when=turn-end,measure=turns,trigger=2,overlap_turns=1,previous=stay,min_progress=0,call=fresh',
    summary:
      'After every second turn those turns, and one before them, become a summary of their own beside the earlier ones.',
    origin: 'Google ADK Python @ef6ac338 (interval and overlap are required; 2 and 1 here)',
    date: '2026-09',
    evidence: 'source read',
  },

  // OpenCode and pi.
  {
    name: 'opencode-v1',
    policy: 'compact:measure=last,trigger_reserve=32000,keep_turns=2,keep_tokens=8000,call=fresh,result_cap=500',
    summary:
      'At the window less the reply everything but the last two turns, 8,000 tokens at most, gives way to a summary.',
    origin: 'OpenCode V1 @08f74b9b',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'opencode-prune',
    policy: 'mask:when=turn-end,min_gain=20001,keep_turns=2,keep_tokens=40000,tools=not-skills',
    summary:
      'After a turn, results older than two turns and 40,000 tool tokens are cleared if that is worth over 20,000.',
    origin: 'OpenCode V1 @08f74b9b (off by default since 2026)',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'opencode-v2',
    policy: 'compact:trigger_reserve=32000,keep_tokens=15000,call=shared',
    summary:
      'At the window less the reply (32,000 at most, 20,000 at least), by an estimate before the request, all but about 15,000 tokens gives way to a summary over the warm prefix (it begins the tail at a prompt and cuts results in it to 2,000 characters; here they stay whole).',
    origin: 'OpenCode V2 @031a4a9c, packages/core/src/session/compaction.ts',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'opencode-v2-8k',
    policy: 'compact:measure=last,trigger_reserve=32000,keep_tokens=8000,call=fresh,result_cap=500',
    summary:
      'An earlier V2: at the window less the reply (32,000 here), as the last response was reported, with a tail of 8,000 tokens and a call without tools that shares no prefix.',
    origin: 'OpenCode V2 @8b9b5784, packages/core/src/session/compaction.ts',
    date: '2026-12',
    evidence: 'source read',
  },
  {
    name: 'kilo',
    policy: 'compact:measure=last,trigger_reserve=52000,keep_turns=2,keep_tokens=8000,call=fresh,result_cap=500',
    summary: 'As opencode-v1, but 20,000 tokens earlier: the window less the reply (32,000 at most) and a buffer.',
    origin: 'Kilo Code @89415151, packages/opencode/src/session/overflow.ts; compaction.ts @02bc3f21',
    date: '2026-12',
    evidence: 'source read',
  },
  {
    name: 'pi',
    policy: 'compact:when=step,trigger_reserve=16384,strict=yes,keep_tokens=20000,call=fresh,result_cap=500',
    summary:
      'Once the context is above the window less 16,384, after a turn or between its requests, all but 20,000 tokens gives way to a summary.',
    origin: 'pi 1.6.0, dist/core/agent-session.js and compaction (@83378aad of 2026-03 looked only after a turn)',
    date: '2026-11-20',
    evidence: 'source read',
  },

  // OpenHands and SWE-agent.
  {
    name: 'openhands-llm',
    policy: 'compact:measure=events,trigger=240,strict=yes,keep_first=1,keep_events=117,call=fresh,prompt_tokens=520',
    summary: 'Beyond 240 events the middle becomes a summary, so that 120 are left.',
    origin: 'OpenHands software-agent-sdk @611629e6',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'openhands-llm-agent',
    policy: 'compact:measure=events,trigger=80,strict=yes,keep_first=3,keep_events=35,call=fresh,prompt_tokens=520',
    summary:
      'As openhands-llm with the numbers of its agent presets: beyond 80 events down to 40, the first four kept.',
    origin: 'OpenHands software-agent-sdk @611629e6',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'openhands-llm-planning',
    policy: 'compact:measure=events,trigger=100,strict=yes,keep_first=5,keep_events=43,call=fresh,prompt_tokens=520',
    summary:
      'As openhands-llm with the numbers of its planning preset: beyond 100 events down to 50, the first six kept.',
    origin: 'OpenHands software-agent-sdk @611629e6',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'openhands-mask',
    policy: 'mask:keep_messages=100,stub_tokens=4',
    summary: 'Observations older than 100 events are masked; the boundary slides with every step.',
    origin: 'OpenHands V0 @156d0686',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'openhands-browser',
    policy: 'mask:tools=web,keep_uses=1,stub_tokens=30',
    summary: 'All web output but the last gives way to its URL; the boundary slides.',
    origin: 'OpenHands V0 @156d0686',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'openhands-recent',
    policy: 'drop-window:measure=events,trigger=100,strict=yes,keep_first=1,keep_events=99,round=down',
    summary: 'Beyond 100 events the middle is dropped, at every step.',
    origin: 'OpenHands V0 @156d0686',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'openhands-amortized',
    policy: 'drop-window:measure=events,trigger=100,strict=yes,keep_first=1,keep_events=49,round=down',
    summary: 'Beyond 100 events the middle is dropped down to 50, every fifty events.',
    origin: 'OpenHands V0 @156d0686',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'swe-agent-last-n',
    policy: 'mask:first_prompt=counts,keep_uses=5,polling=1,stub_tokens=15',
    summary:
      'All observations but the last five become one line; the prompt is the first of them and never goes; polling=N moves only every N steps.',
    origin: 'SWE-agent @3ea751c0, sweagent/agent/history_processors.py',
    date: '2026-07-16',
    evidence: 'source read',
  },
  {
    name: 'complexity-trap-mask',
    policy: 'mask:first_prompt=counts,keep_uses=10,polling=1,stub_tokens=15',
    summary: 'As swe-agent-last-n with a window of ten observations, the best masking of the paper.',
    origin: 'The Complexity Trap (JetBrains Research), config/default_no_demo_N=1_M=10.yaml @adfaa1a1',
    date: '2026-12',
    evidence: 'source read',
  },

  // Cline and Roo.
  {
    name: 'cline-agentic',
    policy: 'compact:trigger_fraction=0.81,keep_first=1,keep_tokens=20000,call=fresh,result_cap=500',
    summary: 'At 0.9 of 0.9 of the window all but the first message and 20,000 tokens gives way to a summary.',
    origin: 'Cline SDK @21cb8d25',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'cline-basic',
    policy:
      'compact:trigger_fraction=0.81,keep_first=1,keep_window=0.467,round=down,call=none,keep_user_tokens=20000,summary_tokens=500',
    summary:
      'At the same level, without a model: prompts stay (20,000 tokens here), the rest becomes notices, down to 0.7 of the level.',
    origin: 'Cline SDK @21cb8d25',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'cline-classic',
    policy:
      'drop-window:measure=last,trigger_fraction=0.8,trigger_reserve=40000,combine=max,keep_first=2,keep_share=0.5',
    summary:
      'At the window less 40,000, or 0.8 of it, half of the history is dropped (stubbed file reads and the levels of windows below 200,000 are left out).',
    origin: 'Cline before @1f31738b',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'roo',
    policy: 'compact:trigger_fraction=0.9,trigger_reserve=8192,combine=share-less-reserve,strict=yes,call=fresh',
    summary: 'Above 0.9 of the window less 8,192 all becomes one summary.',
    origin: 'Roo Code @cb836567',
    date: '2026-09',
    evidence: 'source read',
  },

  // Goose, Aider, Crush, Qwen, Kimi.
  {
    name: 'goose',
    policy: 'compact:measure=last,trigger_fraction=0.8,strict=yes,keep_prompts=1,call=fresh',
    summary:
      "Above 0.8 of the window all but the user's last text becomes a summary, written by a fast model (the own one here).",
    origin: 'Goose @006bd233, crates/goose/src/context_mgmt/mod.rs',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'goose-pairs',
    policy:
      'mask:measure=uses,trigger=10,trigger_fraction=0.00012,combine=sum,strict=yes,most=10,keep_turns=1,inputs=clear,stub_tokens=100,call_tokens=300',
    summary:
      'Ten tool uses above a cutoff that grows with the window, the ten oldest pairs become a summary each, by a call each.',
    origin: 'Goose @006bd233',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'aider',
    policy:
      'compact:when=turn-end,on_overflow=no,measure=history,trigger=8192,trigger_fraction=0.0625,combine=min,strict=yes,keep_level=0.4999,round=down,call=fresh,background=yes',
    summary:
      'After a turn, history above 8,192 tokens (a sixteenth of small windows) is summarized but for a tail of less than half of that.',
    origin: 'Aider @5dc9490b',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'crush',
    policy:
      'compact:measure=last,trigger_fraction=0.8,trigger_reserve=20000,combine=by-window,call=fresh,prompt_tokens=440',
    summary: 'With a fifth of the window left, or 20,000 tokens of a large one, all becomes a summary.',
    origin: 'Crush @37f36e93',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'qwen',
    policy: 'compact:trigger_fraction=0.85,trigger_reserve=33000,combine=min,call=fresh,reattach_tokens=15000',
    summary: 'At 0.85 of the window or 33,000 before its end all becomes a summary; a few files are read again.',
    origin: 'Qwen Code @00b481a3',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'qwen-micro',
    policy: 'mask:when=cold,idle_seconds=3600,keep_uses=5',
    summary: 'After a pause of an hour all but the newest five results are cleared.',
    origin: 'Qwen Code @00b481a3',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'kimi',
    policy:
      'compact:trigger_fraction=0.85,trigger_reserve=50000,combine=min,keep_messages=2,call=fresh,prompt_tokens=465',
    summary: 'At 0.85 of the window or 50,000 before its end all but two messages gives way to a summary.',
    origin: 'Kimi CLI @4a550eff',
    date: '2026-09',
    evidence: 'source read',
  },

  // Libraries.
  {
    name: 'langchain-summarize',
    policy: 'compact:trigger_fraction=0.85,keep_messages=20,call=fresh,input_cap=4000',
    summary:
      'All but 20 messages gives way to a summary that was made of its last 4,000 tokens (no default level; 0.85 here).',
    origin: 'langchain 1.5.14',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'langchain-clear',
    policy: 'mask:measure=raw,trigger=100000,strict=yes,keep_uses=3,stub_tokens=3',
    summary:
      'As anthropic-clear-tool-uses, but always judged by the unedited list, so the boundary slides with every call.',
    origin: 'langchain 1.5.14',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'langchain-trim',
    policy: 'drop-window:trigger=100000,strict=yes,keep_level=1,round=down',
    summary: 'The oldest messages are dropped at every call beyond a number of tokens (required; 100,000 here).',
    origin: 'langchain core 1.4.0',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'deepagents',
    policy:
      'truncate-ingest:max_chars=0,max_tokens=20000,kept_tokens=150+mask:trigger_fraction=0.85,tools=writes,keep_window=0.1,inputs=only,min_input_chars=2000,input_tokens=15+compact:trigger_fraction=0.85,keep_window=0.1,round=down,call=fresh',
    summary:
      'Results above 20,000 tokens go to a file; at 0.85 of the window long arguments of writes and edits before the newest tenth are cut, and if that is not enough all but that tenth gives way to a summary.',
    origin: 'deepagents @23b83ad5, libs/deepagents/deepagents/middleware/summarization.py',
    date: '2026-08-21',
    evidence: 'source read',
  },
  {
    name: 'deepagents-no-profile',
    policy:
      'truncate-ingest:max_chars=0,max_tokens=20000,kept_tokens=150+mask:measure=messages,trigger=20,tools=writes,keep_messages=20,inputs=only,min_input_chars=2000,input_tokens=15+compact:trigger=170000,keep_messages=6,call=fresh',
    summary:
      'The same for a model of which it does not know the window: arguments before the newest 20 messages are cut, and at 170,000 tokens all but six messages gives way to a summary.',
    origin: 'deepagents @23b83ad5, libs/deepagents/deepagents/middleware/summarization.py',
    date: '2026-08-21',
    evidence: 'source read',
  },
  {
    name: 'vercel-prune',
    policy: 'clear-thinking:keep_turns=0+mask:keep_messages=1,inputs=clear,stub_tokens=0',
    summary:
      'Calls, results and thinking before the last message are emptied at every call (before-last-message; off by default).',
    origin: 'Vercel AI SDK 7.0.173',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'mastra-last',
    policy: 'drop-window:when=turn-start,keep_messages=10',
    summary: 'Only the last ten messages are recalled; the boundary slides with every turn.',
    origin: 'Mastra memory 1.31.0',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'mastra-budget',
    policy: 'drop-window:trigger=100000,strict=yes,keep_tokens=75000,round=down',
    summary: 'Beyond a number of tokens (no default; 100,000 here) the oldest are dropped and a quarter more.',
    origin: 'Mastra core 1.71.0',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'mastra-om',
    policy:
      'compact:measure=history,trigger=30000,keep_share=0.2,round=down,call=fresh,background=yes,previous=stay,summary_model=gemini-2.5-flash',
    summary:
      'Every 30,000 message tokens the older four fifths become observations, by a small model beside the conversation (reflection is left out).',
    origin: 'Mastra memory 1.31.0',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'sk-truncate',
    policy: 'drop-window:measure=messages,trigger=20,strict=yes,keep_messages=20',
    summary: 'Beyond a number of messages (required; 20 here) the oldest are dropped, at every call.',
    origin: 'Semantic Kernel @b39d95a3',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'sk-summarize',
    policy:
      'compact:measure=messages,trigger=20,strict=yes,keep_messages=20,call=fresh,summary_tokens=200,min_progress=0',
    summary: 'The same with a summary of five sentences in their place.',
    origin: 'Semantic Kernel @b39d95a3',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'letta-sliding',
    policy: 'compact:trigger_reserve=16384,keep_share=0.7,call=fresh',
    summary: 'Close to the window the oldest 30 % become a summary, by a small model (the own one here).',
    origin: 'Letta @0ca33c58, letta-code 0.32.18',
    date: '2026-09',
    evidence: 'source read',
  },
  {
    name: 'letta-self-compact',
    policy: 'compact:trigger_reserve=16384,keep_share=0.7,call=shared',
    summary: 'As letta-sliding, but the agent writes the summary itself over its warm prefix.',
    origin: 'Letta @0ca33c58',
    date: '2026-09',
    evidence: 'documentation',
  },
  {
    name: 'openclaw-ttl',
    policy:
      'mask:when=cold,idle_seconds=300,trigger_fraction=0.5,keep_messages=6,min_gain=12500+mask:when=cold,idle_seconds=300,trigger_fraction=0.3,keep_messages=6,min_chars=4000,replacement=preview,preview_chars=3000,stub_tokens=20',
    summary:
      'After a pause of five minutes, results are trimmed from 0.3 of the window on and cleared from 0.5 on; the cache is cold anyway.',
    origin: 'OpenClaw @013c24e7',
    date: '2026-09-03',
    evidence: 'source read',
  },
  {
    name: 'openclaw-ttl-ephemeral',
    policy:
      'mask:when=cold,idle_seconds=300,trigger_fraction=0.5,keep_messages=6,min_gain=12500,lasts=once+mask:when=cold,idle_seconds=300,trigger_fraction=0.3,keep_messages=6,min_chars=4000,replacement=preview,preview_chars=3000,stub_tokens=20,lasts=once',
    summary:
      'The same before it was mended: the trimmed view lived for one request, and the next sent everything again.',
    origin: 'OpenClaw before PR 137021',
    date: '2026-09-02',
    evidence: 'source read',
  },
  {
    name: 'strands-window',
    policy: 'drop-window:when=turn-end,measure=messages,trigger=40,strict=yes,keep_messages=40,on_overflow=yes',
    summary: 'After a turn, all but 40 messages are dropped; also when a request does not fit.',
    origin: 'Strands Agents',
    date: '2026-09',
    evidence: 'documentation',
  },
  {
    name: 'strands-summarize',
    policy: 'compact:when=overflow,trigger_reserve=0,keep_share=0.7,call=fresh',
    summary: 'Only when a request does not fit, the oldest 30 % become a summary.',
    origin: 'Strands Agents',
    date: '2026-09',
    evidence: 'documentation',
  },
  {
    name: 'llamaindex-memory',
    policy:
      'drop-window:when=turn-end,measure=history,trigger=21000,strict=yes,keep_tokens=18000,cut_at=prompt,round=down',
    summary:
      'After a turn, history above 21,000 tokens (0.7 of 30,000) is dropped from the front by 3,000 or more, on to the next prompt; the current turn stays.',
    origin: 'LlamaIndex Memory @06c3088c, llama-index-core/llama_index/core/memory/memory.py',
    date: '2026-12',
    evidence: 'source read',
  },
  {
    name: 'pydantic-ai-anthropic',
    policy: 'compact:trigger=150000,call=server,prompt_tokens=120,summary_tokens=3500',
    summary:
      'Its AnthropicCompaction asks for what anthropic-compact does; without it, Pydantic AI changes nothing by itself.',
    origin: 'Pydantic AI @4fda3898, pydantic_ai_slim/pydantic_ai/models/anthropic.py',
    date: '2026-08-22',
    evidence: 'source read',
  },
  {
    name: 'autogen-buffered',
    policy: 'drop-window:keep_messages=10,round=down',
    summary:
      'Only the newest messages are sent (a number is required; 10 here), at every call; a result in front without its call goes too.',
    origin: 'AutoGen @12358ab0, autogen_core/model_context/_buffered_chat_completion_context.py',
    date: '2026-12',
    evidence: 'source read',
  },
  {
    name: 'agent-framework',
    policy:
      'mask:trigger_fraction=0.5,trigger_reserve=32000,combine=share-of-rest,strict=yes,keep_rounds=4,replacement=preview,preview_chars=4096,inputs=clear,input_tokens=0,stub_tokens=8+drop-window:trigger_fraction=0.8,trigger_reserve=32000,combine=share-of-rest,strict=yes,keep_level=0.625,round=down',
    summary:
      'Above half of what the reply (a number is required; 32,000 here) leaves of the window, tool calls before the newest four rounds become a line of at most 4,096 characters; above 0.8 the oldest groups are dropped down to half.',
    origin:
      'Microsoft Agent Framework @5eb3eb74, python/packages/core/agent_framework/_compaction.py (ContextWindowCompactionStrategy)',
    date: '2026-08-07',
    evidence: 'source read',
  },
  {
    name: 'crewai',
    policy: 'compact:when=overflow,trigger_reserve=0,call=fresh',
    summary: 'Only when a request does not fit the window, everything but the system prompt becomes one summary.',
    origin: 'CrewAI @f4731f50, lib/crewai/src/crewai/utilities/agent_utils.py',
    date: '2026-08-21',
    evidence: 'source read',
  },
  {
    name: 'continue-cli',
    policy: 'compact:trigger_fraction=0.52,call=shared,prompt_tokens=70',
    summary:
      'At 0.8 of the 0.65 of the window that a reply of unset size leaves, all becomes one message, written over the live request (its window is 200,000 unless the config names one; that of the model here).',
    origin: 'Continue CLI @0d25d2e7, extensions/cli/src/util/tokenizer.ts; compaction.ts @04e35c5d',
    date: '2026-12',
    evidence: 'source read',
  },
  {
    name: 'zed',
    policy:
      'compact:measure=last,trigger_fraction=0.9,trigger_reserve=32000,combine=share-of-rest,keep_user_tokens=20000,call=fresh',
    summary:
      'At 0.9 of what the reply (32,000 here) leaves of the window, all but 20,000 tokens of user messages gives way to a summary; the call has no tools and so no warm prefix (windows below 80,000, where it never does, are left out).',
    origin: 'Zed, crates/agent: compaction of threads (a stored copy of 2026, commit not named)',
    date: '2026-12',
    evidence: 'source read',
  },

  // Our own, each beside its nearest neighbour.
  {
    name: 'elide-cold',
    policy: `mask:when=cold,keep_turns=1,${likeHeph}`,
    summary: "heph's elision, but only when the cache entry has expired and the prefix is written again anyway.",
    origin: 'ctxsim, beside elide and openclaw-ttl',
    date: '2026-09',
    evidence: 'own idea',
  },
  {
    name: 'elide-batch',
    policy: `mask:batch=best,keep_turns=1,${likeHeph}`,
    summary: "heph's elision, but in batches of the size that costs least at the prices of the model.",
    origin: 'ctxsim, beside elide and opencode-prune',
    date: '2026-09',
    evidence: 'own idea',
  },
  {
    name: 'elide-hysteresis',
    policy: `mask:trigger=100000,strict=yes,target=50000,${likeHeph}`,
    summary: 'Above 100,000 tokens the oldest results become stubs until 50,000 are left, inside a turn too.',
    origin: 'ctxsim, beside elide and anthropic-clear-tool-uses',
    date: '2026-09',
    evidence: 'own idea',
  },
  {
    name: 'elide-rounds',
    policy: `mask:keep_rounds=4,polling=4,${likeHeph}`,
    summary: 'Results older than four rounds become stubs, four rounds at a time, inside a turn too.',
    origin: 'ctxsim, beside elide and swe-agent-last-n',
    date: '2026-12',
    evidence: 'own idea',
  },
  {
    name: 'block-window',
    policy: 'drop-window:measure=messages,trigger=120,strict=yes,keep_messages=104,round=down',
    summary: 'Beyond 120 messages the oldest are dropped 16 at a time, so that the prefix stands in between.',
    origin: 'ctxsim, beside sk-truncate, as proposed in HKUDS/nanobot PR 4568',
    date: '2026-12',
    evidence: 'own idea',
  },
  {
    name: 'elide-keepalive',
    policy: 'elide+keepalive:pings=1',
    summary: "heph's elision, and one ping in a pause so that the prefix is read instead of written.",
    origin: 'ctxsim, beside elide and claude-code-idle',
    date: '2026-09',
    evidence: 'own idea',
  },
];
