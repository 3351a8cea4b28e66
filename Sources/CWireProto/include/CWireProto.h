#pragma once
#include "wristwire/v1/actions.pb-c.h"
#include "wristwire/v1/common.pb-c.h"
#include "wristwire/v1/facets.pb-c.h"
#include "wristwire/v1/transfer.pb-c.h"
#include "wristwire/v1/widgets.pb-c.h"
