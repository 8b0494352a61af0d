package console

import (
	"encoding/json"
	"os"
	"strings"
)

// This file looks with axe-core for what WCAG 2.1 forbids at its levels A and AA: https://github.com/dequelabs/axe-core.

// axeRun is an expression that lists the violations on a page, and what axe-core could not decide about contrast.
const axeRun = `axe.run(document, {
	runOnly: {type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']},
	resultTypes: ['violations'],
}).then(found => found.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html.slice(0, 160) + '\n    ' + n.failureSummary)).slice(0, 8).join('\n'))`

// axe is what axe-core finds on a page. It runs in a world of its own, beside the page: nothing of the page's policy of content is switched off for it.
// But it waits for timers, which no page has whose scripts are disabled; so they are not, while it runs.
func (c *chromium) axe() string {
	c.t.Helper()
	var tree struct {
		FrameTree struct{ Frame struct{ Id string } }
	}
	c.call("Page.getFrameTree", nil, &tree)
	var world struct{ ExecutionContextId int }
	c.call("Page.createIsolatedWorld", map[string]any{"frameId": tree.FrameTree.Frame.Id, "worldName": "axe"}, &world)
	c.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": false}, nil)
	defer c.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": !c.scripts}, nil)
	c.evaluateIn(world.ExecutionContextId, c.axeSource())
	return c.evaluateIn(world.ExecutionContextId, axeRun)
}

func (c *chromium) axeSource() string {
	c.t.Helper()
	if c.axeText == "" {
		text, err := os.ReadFile(*axeFile)
		if err != nil {
			c.t.Fatalf("axe-core is not there: %v", err)
		}
		c.axeText = string(text) + "\n;''"
	}
	return c.axeText
}

func (c *chromium) evaluateIn(world int, expression string) string {
	c.t.Helper()
	var result struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	c.call("Runtime.evaluate", map[string]any{"expression": expression, "contextId": world, "returnByValue": true, "awaitPromise": true}, &result)
	if result.ExceptionDetails != nil {
		c.t.Fatalf("axe-core has failed: %s", result.ExceptionDetails)
	}
	text, _ := result.Result.Value.(string)
	return strings.TrimSpace(text)
}
