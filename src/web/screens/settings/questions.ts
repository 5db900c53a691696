import { ask } from '../../api/query.ts';
import { askEveryAccount, askJoinable, askTeams } from '../../api/questions.ts';
import { askViews } from '../../views/questions.ts';

export const askMarkedAccounts = () => ask('listMarkedAccounts', undefined);

export const askSessions = () => ask('listSessions', undefined);

export const askAgentSettings = () => ask('getAgentSettings', undefined);

export const askHealthSettings = () => ask('getHealthSettings', undefined);

export const settingsQuestions = () => [
  askMarkedAccounts(),
  askEveryAccount(),
  askSessions(),
  askAgentSettings(),
  askJoinable(),
  askTeams(),
  askViews(),
  askHealthSettings(),
];
