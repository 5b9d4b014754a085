"""The review page: the robot in the browser, where joints are corrected and the settings file is written."""
