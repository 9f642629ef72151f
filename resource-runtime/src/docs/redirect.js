// Tells the reference what the authorization server has answered, and closes the window of the log-in.

const answer = Object.fromEntries(new URLSearchParams(location.search));
// The code is of no use any more, and stays out of the history of the browser.
history.replaceState(null, "", location.pathname);
new BroadcastChannel("api-reference").postMessage(answer);
close();
